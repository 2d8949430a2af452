/** What else belongs to an account in the Account API: tokens of one's own, organizations, the record of what happened (DECISIONS T7). */
import Type from 'typebox'
import { FIELD_ERRORS } from './account.ts'
import { OrganizationRoleSummary } from './organization-entities.ts'
import { PersonalAccessTokenCreate, PersonalAccessTokenName } from './personal-access-tokens.ts'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, JsonObject, Nullable, OneOf, SECRET } from './schema.ts'

const MyToken = Type.Object({
  name: PersonalAccessTokenName,
  createdAt: EpochMilliseconds,
  expiresAt: Nullable(EpochMilliseconds),
  lastUsedAt: Nullable(EpochMilliseconds),
})
const tokens = { permission: null, scopes: ['identities'] } as const
const organizations = { permission: null, scopes: ['urn:logto:scope:organizations'] } as const

const MyOrganization = Type.Object({
  id: Id,
  name: Type.String(),
  description: Nullable(Type.String()),
  organizationRoles: Type.Array(OrganizationRoleSummary),
  joinedAt: EpochMilliseconds,
})

const MyInvitation = Type.Object({
  id: Id,
  organizationId: Id,
  organizationName: Type.String(),
  organizationRoles: Type.Array(OrganizationRoleSummary, { description: 'Assigned with the membership' }),
  createdAt: EpochMilliseconds,
  expiresAt: EpochMilliseconds,
})

const MyLogEntry = Type.Object({
  id: Type.String(),
  key: Type.String({ description: 'What happened, as in the audit log' }),
  result: OneOf(['Success', 'Error']),
  error: Type.Optional(Type.String({ description: 'The code of the error' })),
  isByUser: Type.Boolean({ description: 'false: by an administrator or a directory' }),
  ip: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  country: Nullable(Type.String({ description: 'Two letters (ISO 3166-1), as `GEOIP_FILE` says; null if unknown' })),
  city: Nullable(Type.String({ description: 'In English; null if unknown' })),
  applicationId: Nullable(Type.String()),
  applicationName: Nullable(Type.String()),
  createdAt: EpochMilliseconds,
})

export const accountBelongingRoutes = routes({
  listMyTokens: {
    ...tokens,
    method: 'GET',
    path: '/my-account/personal-access-tokens',
    summary: 'List one’s own personal access tokens',
    description: 'Without their values, which are shown only when they are created and are stored as hashes.',
    status: 200,
    response: Type.Array(MyToken),
    errors: FIELD_ERRORS,
  },
  createMyToken: {
    ...tokens,
    method: 'POST',
    path: '/my-account/personal-access-tokens',
    proof: true,
    summary: 'Create a personal access token',
    description: 'At most a hundred.',
    body: PersonalAccessTokenCreate,
    status: 201,
    response: Type.Object({ ...MyToken.properties, value: Type.String({ ...SECRET, description: 'Shown only once' }) }),
    errors: [
      ...FIELD_ERRORS,
      'user.personal_access_token_name_exists',
      'user.too_many_personal_access_tokens',
      'request.invalid_input',
    ],
  },
  renameMyToken: {
    ...tokens,
    method: 'PATCH',
    path: '/my-account/personal-access-tokens',
    proof: true,
    summary: 'Rename one of one’s own personal access tokens',
    body: Type.Object({ currentName: PersonalAccessTokenName, name: PersonalAccessTokenName }),
    status: 200,
    response: MyToken,
    errors: [...FIELD_ERRORS, 'entity.not_exists_with_id', 'user.personal_access_token_name_exists'],
  },
  deleteMyToken: {
    ...tokens,
    method: 'POST',
    path: '/my-account/personal-access-tokens/delete',
    proof: true,
    summary: 'Delete one of one’s own personal access tokens',
    description: 'The name is in the body, because it can be one that does not fit in a URL.',
    body: Type.Object({ name: PersonalAccessTokenName }),
    status: 204,
    errors: [...FIELD_ERRORS, 'entity.not_exists_with_id'],
  },
  listMyOrganizations: {
    ...organizations,
    method: 'GET',
    path: '/my-account/organizations',
    summary: 'List the organizations that one is in',
    description: 'At most a thousand.',
    status: 200,
    response: Type.Array(MyOrganization),
    errors: FIELD_ERRORS,
  },
  listMyInvitations: {
    ...organizations,
    method: 'GET',
    path: '/my-account/organization-invitations',
    summary: 'List the pending invitations to one’s own verified email address, newest first',
    description: 'At most a thousand.',
    status: 200,
    response: Type.Array(MyInvitation),
    errors: FIELD_ERRORS,
  },
  answerMyInvitation: {
    ...organizations,
    method: 'PUT',
    path: '/my-account/organization-invitations/:id/status',
    summary: 'Accept or decline an invitation',
    description: 'One that is declined is `Revoked` in the Management API.',
    params: Type.Object({ id: Id }),
    body: Type.Object({ status: OneOf(['Accepted', 'Declined']) }),
    status: 204,
    errors: [...FIELD_ERRORS, 'entity.not_exists_with_id', 'organization.invitation_not_pending'],
  },
  listMyLogs: {
    permission: null,
    scopes: ['urn:logto:scope:sessions'],
    method: 'GET',
    path: '/my-account/logs',
    list: true,
    summary: 'List what happened to one’s own account, newest first',
    description:
      'Sign-ins and attempts to sign in, and changes by the user or an administrator, for as long as the audit log is kept. Of administrators it is not told who and where they are.',
    status: 200,
    response: Type.Array(MyLogEntry),
    errors: FIELD_ERRORS,
  },
  getMyData: {
    permission: null,
    scopes: [],
    method: 'GET',
    path: '/my-account/data',
    proof: true,
    summary: 'Download everything that is stored about oneself',
    description:
      'Without secrets. Only for applications that are not third-party ones, and with a proof of who the user is. At most the latest 10,000 entries of the log.',
    status: 200,
    response: JsonObject,
    errors: [...FIELD_ERRORS, 'auth.third_party_application_forbidden'],
  },
})
