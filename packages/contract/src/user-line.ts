/** A user as a line of JSON: what `countersign users import` takes and `countersign users export` writes. */
import Type, { type Static, type TSchema } from 'typebox'
import { Moment, Nullable } from './schema.ts'
import { UserCreate } from './users.ts'

const { username, primaryEmail, primaryPhone, name, ...others } = UserCreate.properties
const Absent = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))
const Roles = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 1000 })

/** The body of `POST /users`, and what an administrator of another system knows beside it. */
export const UserLine = Type.Object({
  id: Type.Optional(
    Type.String({
      pattern: '^[0-9a-z]{12}$',
      description: '12 characters of 0-9 and a-z, like all user ids: any other could be the id of an application',
    }),
  ),
  username: Absent(username),
  primaryEmail: Absent(primaryEmail),
  primaryPhone: Absent(primaryPhone),
  name: Absent(name),
  ...others,
  emailVerified: Type.Optional(Type.Boolean()),
  phoneVerified: Type.Optional(Type.Boolean()),
  isSuspended: Type.Optional(Type.Boolean()),
  createdAt: Type.Optional(Moment),
  lastSignInAt: Absent(Moment),
  roleNames: Type.Optional(Roles),
  roleIds: Type.Optional(Roles),
})

export type UserLineFields = Static<typeof UserLine>
