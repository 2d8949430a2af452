/** Messages that tell owners of accounts of sensitive changes: what they are told of, and the setting of it. */
import Type from 'typebox'
import { OneOf } from './schema.ts'

/** What an owner is told of. */
export const OWNER_NOTICES = [
  'passwordChanged',
  'emailChanged',
  'phoneChanged',
  'factorAdded',
  'factorRemoved',
  'backupCodesCreated',
  'identityLinked',
  'identityUnlinked',
  'accessTokenCreated',
  'newSignIn',
] as const
export type OwnerNotice = (typeof OWNER_NOTICES)[number]

export const ownerNotices = Type.Object({
  enabled: Type.Optional(
    Type.Boolean({
      description:
        'Whether users are told of sensitive changes of their account by mail, with a link that ends everything that is signed in. On by default; nothing is sent without a mail connector, or to an address that is not verified',
    }),
  ),
  kinds: Type.Optional(
    Type.Array(OneOf(OWNER_NOTICES), {
      maxItems: OWNER_NOTICES.length,
      description:
        'What they are told of; all by default. newSignIn is a sign-in from a browser or, with GEOIP_FILE, a country that is new for a user of whom others are known',
    }),
  ),
  byAdministrators: Type.Optional(
    Type.Boolean({
      description:
        'Whether they are also told of changes through the Management API, by a SCIM directory or on the command line; off by default',
    }),
  ),
})
