CREATE TABLE device (
    name         text PRIMARY KEY,
    role         text        NOT NULL,
    vendor       text,
    model        text,
    rail         integer,
    plane        integer,
    -- Widths of counters that are not 64 bits wide, by signal id: an open set of keys.
    counter_bits jsonb       NOT NULL,
    changed_at   timestamptz NOT NULL
);

CREATE TABLE port (
    id                   text PRIMARY KEY,
    device               text        NOT NULL,
    name                 text        NOT NULL,
    speed_bits_per_second bigint     NOT NULL,
    lanes                integer     NOT NULL,
    fec                  text        NOT NULL,
    media                text        NOT NULL,
    part_number          text,
    mtu                  integer     NOT NULL,
    admin_up             boolean     NOT NULL,
    aliases              text[]      NOT NULL,
    changed_at           timestamptz NOT NULL
);
CREATE INDEX port_device ON port (device);

-- The ends' names stand beside the ids: ids are opaque and never taken apart.
CREATE TABLE link (
    id         text PRIMARY KEY,
    a_device   text        NOT NULL,
    a_port     text        NOT NULL,
    b_device   text,
    b_port     text,
    tier       text        NOT NULL,
    rail       integer,
    changed_at timestamptz NOT NULL
);
CREATE INDEX link_a_device ON link (a_device);
CREATE INDEX link_b_device ON link (b_device);

-- What the engine knew, one row a key, so that a restart goes on without relearning. Opaque here.
CREATE TABLE engine_snapshot (
    key      text PRIMARY KEY,
    version  integer     NOT NULL,
    taken_at timestamptz NOT NULL,
    state    bytea       NOT NULL
);
