-- What the bins of a device's histogram of codewords hold; empty where bin k holds k.
ALTER TABLE device ADD COLUMN fec_bins jsonb NOT NULL DEFAULT '[]';
