-- Organizations bring their own single sign-on: an SSO connector may belong to one, and speaks only for email domains that the
-- organization has proved to be its own.

ALTER TABLE sso_connectors ADD COLUMN organization_id text;
ALTER TABLE sso_connectors ADD CONSTRAINT sso_connectors_organization_fkey
  FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE;
CREATE INDEX sso_connectors_by_organization ON sso_connectors (tenant_id, organization_id) WHERE organization_id IS NOT NULL;

-- Names are those of one owner: an organization does not learn how others call their connectors.
ALTER TABLE sso_connectors DROP CONSTRAINT sso_connectors_name_key;
CREATE UNIQUE INDEX sso_connectors_name_key ON sso_connectors (tenant_id, coalesce(organization_id, ''), connector_name);

CREATE TABLE organization_domains (
  tenant_id text NOT NULL,
  organization_id text NOT NULL,
  -- in ASCII and lower case
  domain text NOT NULL,
  -- what the TXT record of the domain has to say
  challenge text NOT NULL,
  created_at timestamptz NOT NULL,
  verified_at timestamptz,
  PRIMARY KEY (tenant_id, organization_id, domain),
  FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
-- Several may say that a domain is theirs; it belongs to one.
CREATE UNIQUE INDEX organization_domains_owner_key ON organization_domains (tenant_id, domain) WHERE verified_at IS NOT NULL;
