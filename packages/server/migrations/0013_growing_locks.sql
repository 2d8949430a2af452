-- How many times in a row an identifier or an account was locked, without a success between: each lock is twice as long (DECISIONS N6).
ALTER TABLE identifier_failures ADD COLUMN locks integer NOT NULL DEFAULT 0;
