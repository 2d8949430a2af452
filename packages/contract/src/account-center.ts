/** The settings of what users do with their own account (DECISIONS O6). */
import Type from 'typebox'
import { routes } from './route.ts'
import { JsonObject, Nullable } from './schema.ts'

const webauthnRelatedOrigins = Type.Array(Type.String({ maxLength: 2048, examples: ['https://account.example.com'] }), {
  maxItems: 20,
  description:
    'Other origins at which passkeys of this tenant may be made and used (Web Authentication Level 3, section 5.11), each an https address without a path; http for loopback hosts',
})

/** What belongs to features that do not exist yet: answered as switched off, and refused when it would switch them on. */
const switchedOff = {
  enabled: Type.Boolean(),
  fields: JsonObject,
  deleteAccountUrl: Nullable(Type.String({ maxLength: 2048 })),
  customCss: Nullable(Type.String({ maxLength: 262_144 })),
  profileFields: Nullable(Type.Array(JsonObject, { maxItems: 100 })),
}

/** What can be set so far. */
export const AccountCenterSettings = Type.Partial(Type.Object({ webauthnRelatedOrigins }))

const AccountCenter = Type.Object({
  id: Type.String({ examples: ['default'] }),
  webauthnRelatedOrigins,
  ...switchedOff,
})

export const accountCenterRoutes = routes({
  getAccountCenter: {
    method: 'GET',
    path: '/account-center',
    permission: 'read:sign-in-exp',
    summary: 'Get the settings of what users do with their own account',
    status: 200,
    response: AccountCenter,
  },
  updateAccountCenter: {
    method: 'PATCH',
    path: '/account-center',
    permission: 'write:sign-in-exp',
    summary: 'Change the settings of what users do with their own account',
    description: `What is omitted stays as it is. These belong to features that do not exist yet and are refused with 422 if they would switch one on: ${Object.keys(
      switchedOff,
    )
      .map((name) => `\`${name}\``)
      .join(', ')}.`,
    body: Type.Partial(Type.Object({ webauthnRelatedOrigins, ...switchedOff })),
    status: 200,
    response: AccountCenter,
    errors: ['request.feature_not_supported'],
  },
})
