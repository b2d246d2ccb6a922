ALTER TABLE incident
    ADD COLUMN resolution       text,
    ADD COLUMN repeats          integer NOT NULL DEFAULT 0,
    ADD COLUMN last_resolved_at timestamptz;

UPDATE incident SET resolution = CASE WHEN suppressed_by IS NULL THEN 'CLEARED' ELSE 'MERGED' END
WHERE state = 'RESOLVED';

ALTER TABLE incident ADD CHECK ((resolution IS NULL) = (resolved_at IS NULL));

-- Who offends again is asked of the last month, at each start.
CREATE INDEX incident_resolved ON incident (resolved_at) WHERE resolved_at IS NOT NULL;

-- The trail of an incident: rows are added and never changed.
CREATE TABLE incident_change (
    incident_id uuid        NOT NULL REFERENCES incident ON DELETE CASCADE,
    number      integer     NOT NULL,
    changed_at  timestamptz NOT NULL,
    changed_by  text        NOT NULL,
    kind        text        NOT NULL,
    detail      text,
    comment     text,
    PRIMARY KEY (incident_id, number)
);
