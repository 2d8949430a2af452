-- Users and the roles they hold.
--
-- username_key and email_key are the forms in which identifiers are compared, made in domain/identifiers.ts; a phone number
-- is kept as its digits. The keys have the collation "C", so that their unique indexes serve prefixes too. What a person
-- typed is kept beside them as it was written.

CREATE TABLE users (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  username text,
  username_key text COLLATE "C",
  primary_email text,
  email_key text COLLATE "C",
  primary_phone text COLLATE "C",
  name text,
  avatar text,
  profile jsonb NOT NULL DEFAULT '{}',
  custom_data jsonb NOT NULL DEFAULT '{}',
  identities jsonb NOT NULL DEFAULT '{}',
  -- the application through which the user came; it may be gone
  application_id text,
  password_hash text,
  -- how an imported hash was made; null: by this server
  password_algorithm text,
  is_suspended boolean NOT NULL DEFAULT false,
  email_verified_at timestamptz,
  phone_verified_at timestamptz,
  password_updated_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT users_username_key UNIQUE (tenant_id, username_key),
  CONSTRAINT users_email_key UNIQUE (tenant_id, email_key),
  CONSTRAINT users_phone_key UNIQUE (tenant_id, primary_phone),
  CONSTRAINT users_username_check CHECK ((username IS NULL) = (username_key IS NULL)),
  CONSTRAINT users_email_check CHECK ((primary_email IS NULL) = (email_key IS NULL)),
  CONSTRAINT users_password_check CHECK (password_hash IS NOT NULL OR password_algorithm IS NULL),
  CONSTRAINT users_verified_email_check CHECK (email_verified_at IS NULL OR primary_email IS NOT NULL),
  CONSTRAINT users_verified_phone_check CHECK (phone_verified_at IS NULL OR primary_phone IS NOT NULL)
);
CREATE INDEX users_by_age ON users (tenant_id, created_at DESC, id DESC);
CREATE INDEX users_by_name ON users (tenant_id, lower(name) text_pattern_ops);
CREATE INDEX users_by_id_prefix ON users (tenant_id, id text_pattern_ops);

CREATE TABLE users_roles (
  tenant_id text NOT NULL,
  user_id text NOT NULL,
  role_id text NOT NULL,
  type text NOT NULL DEFAULT 'User',
  created_at timestamptz NOT NULL,
  CONSTRAINT users_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id),
  CONSTRAINT users_roles_type_check CHECK (type = 'User'),
  CONSTRAINT users_roles_user_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT users_roles_role_fkey FOREIGN KEY (tenant_id, role_id, type)
    REFERENCES roles (tenant_id, id, type) ON DELETE CASCADE
);
CREATE INDEX users_roles_by_role ON users_roles (tenant_id, role_id, created_at DESC, user_id DESC);
