-- Who alone may act as the user of a subject token (RFC 8693 section 4.4); null: anyone who may exchange tokens.
ALTER TABLE subject_tokens ADD COLUMN may_act jsonb;
