/** What browsers make of passkeys, as JSON (Web Authentication Level 3, sections 5.1.8 and 5.1.9). */
import Type from 'typebox'
import { JsonObject, OneOf } from './schema.ts'

const Base64Url = Type.String({ minLength: 1, maxLength: 16_384, pattern: '^[A-Za-z0-9_-]+$' })
const passkey = {
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Optional(OneOf(['WebAuthn', 'public-key'])),
  authenticatorAttachment: Type.Optional(Type.String({ maxLength: 32 })),
  clientExtensionResults: Type.Optional(JsonObject),
}
/** `PublicKeyCredential.toJSON()` of `navigator.credentials.create`. */
export const MadePasskey = Type.Object({
  ...passkey,
  response: Type.Object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    authenticatorData: Type.Optional(Base64Url),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    publicKeyAlgorithm: Type.Optional(Type.Integer()),
    publicKey: Type.Optional(Base64Url),
  }),
})
/** The same of `navigator.credentials.get`. */
export const ProvedPasskey = Type.Object({
  ...passkey,
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Type.Optional(Base64Url),
  }),
})
