-- Lists of users are filtered. The beginning of the day of the last sign-in stands for the moment in indexes, so that a sign-in touches them once a
-- day and not each time.
ALTER TABLE users ADD COLUMN last_sign_in_day timestamptz
  GENERATED ALWAYS AS (date_trunc('day', last_sign_in_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') STORED;
CREATE INDEX users_by_last_sign_in ON users (tenant_id, last_sign_in_day);
-- in the order of the list, and what is not asked for is passed over without reading the row
DROP INDEX users_by_age;
CREATE INDEX users_by_age ON users (tenant_id, created_at DESC, id DESC, last_sign_in_day);
CREATE INDEX users_suspended ON users (tenant_id, created_at DESC, id DESC) WHERE is_suspended;
CREATE INDEX factors_by_type ON factors (tenant_id, type, user_id);
