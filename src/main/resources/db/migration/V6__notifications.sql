-- What is to be told of incidents: written in the transaction that changes the incident.
CREATE TABLE notification (
    id                uuid PRIMARY KEY,
    number            bigint GENERATED ALWAYS AS IDENTITY,
    receiver          text        NOT NULL,
    incident_id       uuid        NOT NULL,
    event             text        NOT NULL,
    -- The incident as it was then, as one document.
    incident          text        NOT NULL,
    before_state      text,
    before_suppressed boolean,
    before_cause      text,
    before_severity   text,
    created_at        timestamptz NOT NULL,
    attempts          integer     NOT NULL DEFAULT 0,
    -- When it was taken, or given up.
    done_at           timestamptz,
    failure           text
);

CREATE INDEX notification_waiting ON notification (receiver, incident_id, number)
WHERE done_at IS NULL;
CREATE INDEX notification_done ON notification (done_at) WHERE done_at IS NOT NULL;
