/** The permissions of the Management API (DECISIONS B4): `all`, and one to read and one to write for each area. */

/** The areas that the fine permissions speak of. An area added here is registered with every tenant at the next start. */
export const AREAS = [
  'applications',
  'configs',
  'connectors',
  'events',
  'hooks',
  'jwt-customizer',
  'logs',
  'organization-template',
  'organizations',
  'resources',
  'roles',
  'sign-in-exp',
  'subject-tokens',
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
