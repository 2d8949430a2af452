-- What adaptive MFA compares a sign-in with: the browsers and the countries of a user's earlier sign-ins.
CREATE TABLE known_devices (
  tenant_id text NOT NULL,
  user_id text NOT NULL,
  secret_hash bytea NOT NULL,
  last_seen_at timestamptz NOT NULL,
  CONSTRAINT known_devices_pkey PRIMARY KEY (tenant_id, user_id, secret_hash),
  CONSTRAINT known_devices_user FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX known_devices_by_age ON known_devices (last_seen_at);

CREATE TABLE sign_in_countries (
  tenant_id text NOT NULL,
  user_id text NOT NULL,
  country text NOT NULL,
  -- of the last sign-in there, where the file of places says it
  city text,
  latitude double precision,
  longitude double precision,
  last_seen_at timestamptz NOT NULL,
  CONSTRAINT sign_in_countries_pkey PRIMARY KEY (tenant_id, user_id, country),
  CONSTRAINT sign_in_countries_user FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sign_in_countries_by_age ON sign_in_countries (last_seen_at);
