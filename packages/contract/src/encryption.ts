/** How ID tokens and userinfo are encrypted for an application (OpenID Connect Core section 10.2, RFC 7518): algorithms and settings. */
import Type from 'typebox'
import { OneOf } from './schema.ts'

/** For the key of the content. RSA1_5 does not exist here (RFC 8725 section 3.2). */
export const KEY_ENCRYPTIONS = ['RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'] as const
export const CONTENT_ENCRYPTIONS = ['A128CBC-HS256', 'A128GCM', 'A256GCM'] as const

const alg = (what: string) =>
  Type.Optional(
    OneOf(KEY_ENCRYPTIONS, {
      description: `${what} encrypted with this algorithm, for a key of the application that fits it and is not for signatures`,
    }),
  )
const enc = (what: string) =>
  Type.Optional(
    OneOf(CONTENT_ENCRYPTIONS, { description: `How the content of ${what} is encrypted; A128CBC-HS256 by default` }),
  )

/** Members of an application's `customClientMetadata`. */
export const ENCRYPTION_SETTINGS = {
  idTokenEncryptedResponseAlg: alg('Its ID tokens are signed and then'),
  idTokenEncryptedResponseEnc: enc('ID tokens'),
  userinfoEncryptedResponseAlg: alg('Userinfo is, once it is signed if it is,'),
  userinfoEncryptedResponseEnc: enc('userinfo'),
} as const
