CREATE TABLE incident (
    id            uuid PRIMARY KEY,
    fingerprint   text             NOT NULL,
    subject_type  text             NOT NULL,
    subject_id    text             NOT NULL,
    cause         text             NOT NULL,
    severity      text             NOT NULL,
    state         text             NOT NULL,
    probability   double precision NOT NULL CHECK (probability BETWEEN 0 AND 1),
    opened_at     timestamptz      NOT NULL,
    updated_at    timestamptz      NOT NULL,
    resolved_at   timestamptz,
    summary       text             NOT NULL,
    members       text[]           NOT NULL,
    -- Evidence is read and written as a whole with its incident, in order, and never searched by
    -- itself: a document, not rows.
    evidence      jsonb            NOT NULL,
    suppressed_by text,
    version       bigint           NOT NULL,
    CHECK ((state = 'RESOLVED') = (resolved_at IS NOT NULL))
);

-- One physical fault, one incident: whatever writes, a second one cannot be open.
CREATE UNIQUE INDEX incident_unresolved_fingerprint ON incident (fingerprint) WHERE state <> 'RESOLVED';

-- Pages go from the newest to the oldest.
CREATE INDEX incident_newest ON incident (opened_at DESC, id DESC);
CREATE INDEX incident_subject ON incident (subject_type, subject_id);
CREATE INDEX incident_updated ON incident (updated_at);
