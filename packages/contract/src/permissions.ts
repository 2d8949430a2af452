/** The permissions of the Management API (DECISIONS B4): `all`, and one to read and one to write for each area. */

/** The areas that the fine permissions speak of. An area added here is registered with every tenant at the next start. */
export const AREAS = [
  'administrators',
  'applications',
  'configs',
  'connectors',
  'events',
  'hooks',
  'impersonations',
  'jwt-customizer',
  'logs',
  'organization-template',
  'organizations',
  'resources',
  'roles',
  'scim-directories',
  'sign-in-exp',
  'subject-tokens',
  'user-assets',
  'users',
] as const

export type Area = (typeof AREAS)[number]
export type Permission = `read:${Area}` | `write:${Area}`

/** Grants every operation of the Management API. */
export const ALL_PERMISSION = 'all'

/** Every permission of the Management API with the sentence that describes it, `all` first. */
export const MANAGEMENT_PERMISSIONS: readonly { readonly name: string; readonly description: string }[] = [
  { name: ALL_PERMISSION, description: 'Every operation of the Management API' },
  ...AREAS.flatMap((area) => [
    { name: `read:${area}`, description: `Read ${area} through the Management API` },
    { name: `write:${area}`, description: `Create, change and delete ${area} through the Management API` },
  ]),
]

/** What holds for them everywhere, in sentences for the pages that list them. */
export const PERMISSION_RULES: readonly string[] = [
  'Routes that show a secret (passwords, keys, tokens, environment variables) require `write:`, because a caller who can read a secret can do more than read.',
  'Routes that show entities of one area under an entity of another require the permission to read both. In lists of roles and organizations, the users and applications that hold them are left out for callers who may not read those.',
  'Callers can grant only what they hold. Without `all`, a token can grant and remove only those permissions of this API that it carries itself. Of an application that holds others, it can neither see the secrets nor change anything, including its keys, roles and memberships. The response is 403 `auth.forbidden`, which names the missing permissions.',
  'Some areas reveal all others by their nature: `read:events` and `write:hooks` give access to the entities that events contain; `read:logs` shows what was done to whom. `write:connectors` and `write:sign-in-exp` decide how users sign in, administrators among them.',
  'Administrators hold permissions through roles of their own. A caller who lacks a permission that an administrator holds cannot change that user.',
]
