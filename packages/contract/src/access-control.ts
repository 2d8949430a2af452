/** Who may use an application that is not open to every user (`appLevelAccessControlEnabled`): any of the rules is enough. */
import Type from 'typebox'
import { routes, WHOLE } from './route.ts'
import { Id, IdListOrNone } from './schema.ts'

export const AccessControl = Type.Object({
  userIds: IdListOrNone,
  userRoleIds: Type.Array(Type.String({ minLength: 1, maxLength: 21 }), {
    maxItems: 10_000,
    description: 'Global roles of type User',
  }),
  organizationIds: Type.Array(Type.String({ minLength: 1, maxLength: 21 }), {
    maxItems: 10_000,
    description: 'Organizations all of whose users may use it',
  }),
  organizationRoleRules: Type.Array(
    Type.Object({
      organizationId: Type.String({ minLength: 1, maxLength: 21 }),
      organizationRoleIds: Type.Array(Type.String({ minLength: 1, maxLength: 21 }), { maxItems: 100 }),
    }),
    { maxItems: 1000, description: 'Organizations whose users may use it when they hold one of these roles there' },
  ),
})

const OfApplication = Type.Object({ applicationId: Id })

export const accessControlRoutes = routes({
  getAccessControl: {
    method: 'GET',
    path: '/applications/:applicationId/access-control',
    permission: 'read:applications',
    version: WHOLE,
    summary: 'Get who may use an application',
    params: OfApplication,
    status: 200,
    response: AccessControl,
    errors: ['entity.not_exists_with_id'],
  },
  replaceAccessControl: {
    method: 'PUT',
    path: '/applications/:applicationId/access-control',
    permission: 'write:applications',
    version: WHOLE,
    summary: 'Set who may use an application',
    description:
      'Applies while appLevelAccessControlEnabled is true; then it cannot be empty. It is read at every sign-in.',
    params: OfApplication,
    body: AccessControl,
    status: 200,
    response: AccessControl,
    errors: [
      'entity.not_exists_with_id',
      'application.invalid_type',
      'application.access_control_empty',
      'user.invalid_role_type',
      'entity.relation_foreign_key_not_found',
    ],
  },
})
