CREATE TABLE job (
    name          text PRIMARY KEY,
    -- Who takes part and where; null where it was never told.
    roster        jsonb,
    ranks         integer     NOT NULL,
    ended         boolean     NOT NULL,
    -- What the last analysis knew of the job's collectives.
    collectives   jsonb       NOT NULL,
    created_at    timestamptz NOT NULL,
    changed_at    timestamptz NOT NULL,
    last_analysis uuid,
    analyzed_at   timestamptz,
    findings      integer
);
CREATE INDEX job_changed_at ON job (changed_at);

CREATE TABLE job_analysis (
    id       uuid PRIMARY KEY,
    job      text        NOT NULL REFERENCES job (name) ON DELETE CASCADE,
    at       timestamptz NOT NULL,
    findings integer     NOT NULL,
    report   jsonb       NOT NULL
);
CREATE INDEX job_analysis_job_at ON job_analysis (job, at);
