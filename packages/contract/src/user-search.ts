/** How users are searched (field names as a user shows them). */
import Type from 'typebox'
import { OneOf } from './schema.ts'

export const USER_SEARCH_FIELDS = ['id', 'username', 'primaryEmail', 'primaryPhone', 'name'] as const

const Value = Type.String({ maxLength: 256 })
const Values = Type.Optional(Type.Union([Value, Type.Array(Value, { maxItems: 100 })]))
/** Checked by the server, whose refusal says which modes there are. */
const Mode = Type.Optional(Type.String({ maxLength: 32 }))

export const UserSearch = Type.Object({
  search: Type.Optional(
    Type.Union([Value, Type.Array(Value, { maxItems: 100 })], {
      description:
        'Searches id, username, primaryEmail, primaryPhone and name; `%` stands for any characters, `_` for one. Several values only in the mode exact',
    }),
  ),
  'search.id': Values,
  'search.username': Values,
  'search.primaryEmail': Values,
  'search.primaryPhone': Values,
  'search.name': Values,
  mode: Type.Optional(
    Type.String({
      maxLength: 32,
      description: 'like (the default) or exact; `mode.<field>` for one field',
    }),
  ),
  'mode.id': Mode,
  'mode.username': Mode,
  'mode.primaryEmail': Mode,
  'mode.primaryPhone': Mode,
  'mode.name': Mode,
  joint: Type.Optional(OneOf(['or', 'and'], { description: 'How several searches are combined; or by default' })),
  isCaseSensitive: Type.Optional(OneOf(['true', 'false', '1', '0'])),
  excludeRoleId: Type.Optional(Type.String({ maxLength: 21, description: 'Leaves out the users who hold this role' })),
  excludeOrganizationId: Type.Optional(
    Type.String({
      maxLength: 21,
      description: 'Leaves out the members of this organization; cannot be combined with excludeRoleId',
    }),
  ),
})
