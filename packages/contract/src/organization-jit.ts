/** Just-in-time provisioning: who becomes a member of an organization by themselves, and with which roles (DECISIONS E5). */
import Type from 'typebox'
import { OrganizationRole } from './organization-entities.ts'
import { routes } from './route.ts'
import { Id, IdListOrNone } from './schema.ts'
import { ShownSsoConnector } from './sso-connectors.ts'

const ById = Type.Object({ id: Id })
const EmailDomain = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'A domain name of at least two labels; kept in lower case, other scripts in ASCII (Punycode)',
})
const JitEmailDomain = Type.Object({ tenantId: Type.String(), organizationId: Id, emailDomain: Type.String() })
const read = 'read:organizations'
const write = 'write:organizations'
const roleErrors = [
  'entity.not_exists_with_id',
  'entity.relation_foreign_key_not_found',
  'user.invalid_role_type',
] as const

const connectorErrors = [
  'entity.not_exists_with_id',
  'entity.relation_foreign_key_not_found',
  'single_sign_on.connector_of_organization',
] as const

export const organizationJitRoutes = routes({
  listJitEmailDomains: {
    method: 'GET',
    path: '/organizations/:id/jit/email-domains',
    permission: read,
    list: 'whole',
    summary: 'List the email domains whose users become members',
    description: 'In reverse alphabetical order.',
    params: ById,
    status: 200,
    response: Type.Array(JitEmailDomain),
    errors: ['entity.not_exists_with_id'],
  },
  addJitEmailDomain: {
    method: 'POST',
    path: '/organizations/:id/jit/email-domains',
    permission: write,
    summary: 'Let users of an email domain become members',
    params: ById,
    body: Type.Object({ emailDomain: EmailDomain }),
    status: 201,
    response: JitEmailDomain,
    errors: ['entity.not_exists_with_id', 'entity.unique_integrity_violation'],
  },
  replaceJitEmailDomains: {
    method: 'PUT',
    path: '/organizations/:id/jit/email-domains',
    permission: write,
    summary: 'Replace the email domains whose users become members',
    params: ById,
    body: Type.Object({ emailDomains: Type.Array(EmailDomain, { maxItems: 10_000 }) }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  removeJitEmailDomain: {
    method: 'DELETE',
    path: '/organizations/:id/jit/email-domains/:emailDomain',
    permission: write,
    summary: 'Let users of an email domain no longer become members',
    description: 'Existing members stay.',
    params: Type.Object({ id: Id, emailDomain: Type.String({ minLength: 1, maxLength: 256 }) }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listJitRoles: {
    method: 'GET',
    path: '/organizations/:id/jit/roles',
    permission: read,
    alsoPermission: 'read:organization-template',
    list: 'whole',
    summary: 'List the roles that users get when they become members automatically',
    params: ById,
    status: 200,
    response: Type.Array(OrganizationRole),
    errors: ['entity.not_exists_with_id'],
  },
  addJitRoles: {
    method: 'POST',
    path: '/organizations/:id/jit/roles',
    permission: write,
    summary: 'Add roles that users get when they become members automatically',
    params: ById,
    body: Type.Object({ organizationRoleIds: IdListOrNone }),
    status: 201,
    errors: roleErrors,
  },
  replaceJitRoles: {
    method: 'PUT',
    path: '/organizations/:id/jit/roles',
    permission: write,
    summary: 'Replace the roles that users get when they become members automatically',
    params: ById,
    body: Type.Object({ organizationRoleIds: IdListOrNone }),
    status: 204,
    errors: roleErrors,
  },
  removeJitRole: {
    method: 'DELETE',
    path: '/organizations/:id/jit/roles/:organizationRoleId',
    permission: write,
    summary: 'Remove a role that users get when they become members automatically',
    params: Type.Object({ id: Id, organizationRoleId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listJitSsoConnectors: {
    method: 'GET',
    path: '/organizations/:id/jit/sso-connectors',
    permission: read,
    alsoPermission: 'read:connectors',
    list: 'whole',
    summary: 'List the SSO connectors whose users become members',
    description: 'Without their configuration.',
    params: ById,
    status: 200,
    response: Type.Array(ShownSsoConnector),
    errors: ['entity.not_exists_with_id'],
  },
  addJitSsoConnectors: {
    method: 'POST',
    path: '/organizations/:id/jit/sso-connectors',
    permission: write,
    summary: 'Let users of SSO connectors become members',
    params: ById,
    body: Type.Object({ ssoConnectorIds: IdListOrNone }),
    status: 201,
    errors: connectorErrors,
  },
  replaceJitSsoConnectors: {
    method: 'PUT',
    path: '/organizations/:id/jit/sso-connectors',
    permission: write,
    summary: 'Replace the SSO connectors whose users become members',
    params: ById,
    body: Type.Object({ ssoConnectorIds: IdListOrNone }),
    status: 204,
    errors: connectorErrors,
  },
  removeJitSsoConnector: {
    method: 'DELETE',
    path: '/organizations/:id/jit/sso-connectors/:ssoConnectorId',
    permission: write,
    summary: 'Let users of an SSO connector no longer become members',
    description: 'Existing members stay.',
    params: Type.Object({ id: Id, ssoConnectorId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
