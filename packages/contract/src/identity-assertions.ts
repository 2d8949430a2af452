/** Identity assertions (ID-JAG) that an application may obtain for other authorization servers, and those that it may present here (DECISIONS H14). */
import Type from 'typebox'
import { Id } from './schema.ts'

const Uri = Type.String({ minLength: 1, maxLength: 2048 })

const IdentityAssertionAudience = Type.Object({
  audience: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'The issuer of the other authorization server, which the assertion is for',
  }),
  clientId: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'What the other authorization server calls the application',
  }),
  resources: Type.Optional(
    Type.Array(Uri, {
      minItems: 1,
      maxItems: 100,
      description:
        'The APIs there that the application may ask for; it has to name one. Any by default, and none need be named',
    }),
  ),
  scopes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      maxItems: 1000,
      description: 'The scopes that an assertion may have. Any by default',
    }),
  ),
})

export const IDENTITY_ASSERTION_SETTINGS = {
  identityAssertionAudiences: Type.Optional(
    Type.Array(IdentityAssertionAudience, {
      maxItems: 50,
      description:
        'Other authorization servers for which the application exchanges ID tokens of its users for identity assertions (ID-JAG), with allowTokenExchange. None by default',
    }),
  ),
  identityAssertionConnectors: Type.Optional(
    Type.Array(Id, {
      maxItems: 20,
      description:
        'SSO connectors whose identity providers the application may bring identity assertions (ID-JAG) of, with the grant urn:ietf:params:oauth:grant-type:jwt-bearer. None by default',
    }),
  ),
}
