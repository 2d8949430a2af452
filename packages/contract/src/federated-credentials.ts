/** Which workloads authenticate as an application with a token of their own platform, in place of a secret (RFC 7523, DECISIONS H13). */
import Type, { type Static } from 'typebox'
import { JsonObject } from './schema.ts'

const Pattern = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'A text, in which `*` stands for any characters but `/` and `:`; at most one in each part between those, and four in all',
})

const FederatedCredential = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 128, description: 'What the audit log calls it' }),
  issuer: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'The `iss` of the tokens, an https address. Its keys are found by OpenID Connect Discovery unless jwksUri or jwks says where they are',
  }),
  jwksUri: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Where the issuer publishes its keys, an https address',
    }),
  ),
  jwks: Type.Optional(
    Type.Object(
      { keys: Type.Array(JsonObject, { minItems: 1, maxItems: 20 }) },
      { description: 'The public keys of an issuer that cannot be reached, such as that of a private cluster' },
    ),
  ),
  audience: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The only `aud` that the tokens may have. The issuer of the tenant by default',
    }),
  ),
  subject: Type.Optional(Pattern),
  claims: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({
          minLength: 1,
          maxLength: 128,
          description:
            'A claim of the tokens, such as `repository`; within objects a JSON Pointer, such as `/kubernetes.io/namespace`',
        }),
        value: Pattern,
      }),
      { minItems: 1, maxItems: 20, description: 'Claims that the tokens must have, all of them' },
    ),
  ),
  isReusable: Type.Optional(
    Type.Boolean({
      description:
        'Whether a token is accepted until it expires: for platforms that hand out the same one for a while, or whose tokens have no `jti`. By default each is accepted once',
    }),
  ),
})

/** A token of a workload is accepted if one of them says so. */
export const FederatedCredentials = Type.Array(FederatedCredential, {
  maxItems: 20,
  description:
    'Workloads that authenticate as the application with a token of their own platform: GitHub Actions, GitLab, Kubernetes, a cloud. The token is sent as client_assertion, with the client_id of the application. Each names a subject, claims, or both. In addition to tokenEndpointAuthMethod; applications that are public have none',
})

export type FederatedCredential = Static<typeof FederatedCredential>
