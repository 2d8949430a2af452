/**
 * The document of a client (OAuth Client ID Metadata Document) as an application: client metadata as in dynamic registration, of which only
 * what such a client can have is read. A document is for many servers: what is about others is passed over, what would change who the client
 * is, or how it authenticates, is refused (DECISIONS Z3).
 */
import { DEFAULT_POLICY } from '@countersign/contract/client-registration.ts'
import type { SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import { objectionToHttpUri } from '../../domain/applications/redirect-uris.ts'
import { hostOfDocument } from '../../domain/registered-clients/document-address.ts'
import type { DocumentedClient } from '../../domain/registered-clients/document-clients.ts'
import { isOnDevice, wantedClient } from './metadata.ts'
import { invalidMetadata, invalidRedirectUri } from './refusal.ts'

type Metadata = Readonly<Record<string, unknown>>

/** What is read as it is. Everything else either follows, or is nothing that nobody vouches for can have. */
const READ = [
  ...['client_name', 'application_type', 'token_endpoint_auth_signing_alg', 'jwks', 'jwks_uri'],
  ...['client_uri', 'policy_uri', 'tos_uri', 'dpop_bound_access_tokens', 'require_pushed_authorization_requests'],
]
const GRANTS = ['authorization_code', 'refresh_token']
const METHODS = ['none', 'private_key_jwt']
/** There is no way to share a secret. */
const SECRETS = ['client_secret', 'client_secret_expires_at']

const textsIn = (value: unknown, name: string): string[] => {
  if (!Array.isArray(value) || value.length > 100) throw invalidMetadata(`${name} must be a list of strings`)
  return value.map((each) => {
    if (typeof each !== 'string' || each.length > 2048) throw invalidMetadata(`${name} must be a list of strings`)
    return each
  })
}

/** Without `grant_types`, RFC 7591 section 2 has the code alone. */
const grantsIn = ({ grant_types: said = ['authorization_code'] }: Metadata): string[] => {
  const grants = GRANTS.filter((type) => textsIn(said, 'grant_types').includes(type))
  if (!grants.includes('authorization_code')) throw invalidMetadata('grant_types does not have authorization_code')
  return grants
}

/** Those that can be registered here: private schemes only of an application that has nothing but addresses on devices. */
const redirectUrisIn = ({ redirect_uris: said, application_type: type }: Metadata): string[] => {
  const all = textsIn(said ?? [], 'redirect_uris')
  const isNative = type === 'native' || (type === undefined && all.every(isOnDevice))
  const usable = isNative ? all : all.filter((uri) => objectionToHttpUri(uri) === undefined)
  if (usable.length === 0) throw invalidRedirectUri('redirect_uris has no address that can be used here')
  return usable
}

const methodIn = ({ token_endpoint_auth_method: said = 'none' }: Metadata): string => {
  const method = METHODS.find((each) => each === said)
  if (method === undefined) throw invalidMetadata(`token_endpoint_auth_method must be one of ${METHODS.join(', ')}`)
  return method
}

/**
 * The client that a document describes: named after the host of its address, third-party, with PKCE. Throws OAuthError and ApiError 400
 * for a document that is not about this client, or that no client can have.
 * @param id the address of the document @param signingAlgorithm of its ID tokens
 */
export const clientOfDocument = (
  id: string,
  document: Metadata,
  signingAlgorithm: SigningAlgorithm,
): DocumentedClient => {
  // "simple string comparison", so that no other address has the same client
  if (document.client_id !== id) throw invalidMetadata('client_id is not the address of the document')
  const secret = SECRETS.find((name) => name in document)
  if (secret !== undefined) throw invalidMetadata(`${secret} cannot be in a document`)
  const usable = Object.fromEntries(READ.flatMap((name) => (name in document ? [[name, document[name]]] : [])))
  const metadata = {
    ...usable,
    redirect_uris: redirectUrisIn(document),
    grant_types: grantsIn(document),
    token_endpoint_auth_method: methodIn(document),
  }
  const { application, registration } = wantedClient(metadata, { policy: DEFAULT_POLICY, signingAlgorithm })
  const { client_name: statedName } = document
  return {
    application: {
      ...application,
      name: hostOfDocument(id),
      customClientMetadata: { ...application.customClientMetadata, requirePkce: true },
    },
    registration: { ...registration, scope: '' },
    statedName: typeof statedName === 'string' ? statedName : null,
  }
}
