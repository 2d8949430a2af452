-- Administrators are users who hold permissions of the Management API through roles of their own: no role of the tenant's
-- APIs ever holds them. The permissions of a role that is built in are those of the program.
CREATE TABLE administrator_roles (
  tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
  id text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  permissions text[] NOT NULL,
  is_built_in boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT administrator_roles_name_key UNIQUE (tenant_id, name)
);
CREATE INDEX administrator_roles_by_age ON administrator_roles (tenant_id, created_at DESC, id DESC);

CREATE TABLE administrators (
  tenant_id text NOT NULL,
  user_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX administrators_by_age ON administrators (tenant_id, created_at DESC, user_id DESC);

CREATE TABLE administrators_roles (
  tenant_id text NOT NULL,
  user_id text NOT NULL,
  role_id text NOT NULL,
  PRIMARY KEY (tenant_id, user_id, role_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES administrators (tenant_id, user_id) ON DELETE CASCADE,
  CONSTRAINT administrators_roles_role_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES administrator_roles (tenant_id, id)
);
CREATE INDEX administrators_roles_by_role ON administrators_roles (tenant_id, role_id, user_id);
