// What clients read to learn which server issues tokens for an API (RFC 9728): the document, and where it is.

import { proofAlgorithms } from '../dpop/proof.ts'
import { misconfigured } from '../errors/misconfigured.ts'
import { checkedIssuer } from '../keys/issuer.ts'
import { type InsecureOptions, secureUrl } from '../keys/secure-url.ts'
import { checkScopeNames } from '../token/scopes.ts'
import type { AccessTokenOptions } from '../verify/options.ts'

/** What an API says of itself, beside what follows from the options of its guard. */
export interface ProtectedResource {
  /** The scopes that clients may ask for; a client without better knowledge asks for all of them. */
  readonly scopes?: readonly string[]
  /** The name of the API, for people. */
  readonly name?: string
  /** The address of a page for developers. */
  readonly documentation?: string
}

/** The options that the document follows from. */
export type ProtectedResourceOptions = Pick<AccessTokenOptions, 'issuer' | 'audience' | 'dpop' | 'mtls'> &
  InsecureOptions

export interface ProtectedResourceMetadata {
  /** Where clients look for the document (RFC 9728 §3.1). */
  readonly url: string
  /** The path of `url`. */
  readonly path: string
  /** The document, as JSON text. */
  readonly body: string
}

/**
 * The metadata of an API (RFC 9728 §2). Throws `configuration_invalid` for an audience that is not an https address, or http
 * on loopback: clients could not find its document.
 */
export function protectedResource(
  options: ProtectedResourceOptions,
  { scopes = [], name, documentation }: ProtectedResource = {},
): ProtectedResourceMetadata {
  const { audience, dpop, mtls } = options
  const { origin, pathname, search } = secureUrl('audience', audience, options)
  if (documentation !== undefined && !URL.canParse(documentation))
    throw misconfigured('documentation must be an absolute URL')
  const path = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
  const members = {
    resource: audience,
    authorization_servers: [checkedIssuer(options.issuer, options)],
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: checkScopeNames(scopes) }),
    ...(name !== undefined && { resource_name: name }),
    ...(documentation !== undefined && { resource_documentation: documentation }),
    ...(dpop && { dpop_signing_alg_values_supported: proofAlgorithms }),
    ...(dpop?.required && { dpop_bound_access_tokens_required: true }),
    ...(mtls && { tls_client_certificate_bound_access_tokens: true }),
  }
  return { url: `${origin}${path}${search}`, path, body: JSON.stringify(members) }
}

/** Nothing in the document is secret, and clients in browsers read it too, with headers of their own. */
const fromAnywhere = { 'access-control-allow-origin': '*' } as const
const preflight = {
  ...fromAnywhere,
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': '*',
  'access-control-max-age': '600',
} as const

interface MetadataAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What is answered at the address of the document. */
export function answerAtMetadata({ body }: ProtectedResourceMetadata, method: string): MetadataAnswer {
  if (method === 'OPTIONS') return { status: 204, headers: preflight }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD' } }
  const headers = { ...fromAnywhere, 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }
  return { status: 200, headers, ...(method === 'GET' && { body }) }
}
