/** What a policy permits a client to register (DECISIONS Y2): one rule for each of its members. */
import type { RegistrationPolicy } from '@countersign/contract/client-registration.ts'
import { isLoopbackHost } from '../../kernel/network.ts'
import { invalidMetadata, invalidRedirectUri } from './refusal.ts'

interface Wanted {
  readonly applicationType: 'web' | 'native'
  readonly grantTypes: readonly string[]
  readonly redirectUris: readonly string[]
}

/** Whether an entry of `redirectHosts` is for the address: a host, `*.` before a domain, or a private scheme. */
const covers = (entry: string, { hostname, protocol }: URL): boolean => {
  if (entry.endsWith(':')) return protocol === entry
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : hostname === entry
}

/** Whether the policy permits a redirect URI. Does not check that applications may have it at all. */
const permitsRedirect = ({ redirectHosts }: RegistrationPolicy, { applicationType }: Wanted, uri: string): boolean => {
  if (redirectHosts.length === 0 || !URL.canParse(uri)) return true
  const url = new URL(uri)
  if (applicationType === 'native' && url.protocol === 'http:' && isLoopbackHost(url.hostname)) return true
  return redirectHosts.some((entry) => covers(entry, url))
}

/** Refuses what the policy does not permit. Throws OAuthError, naming it. */
export const assertPermitted = (policy: RegistrationPolicy, wanted: Wanted): void => {
  if (!policy.applicationTypes.includes(wanted.applicationType))
    throw invalidMetadata(`application_type ${wanted.applicationType} may not be registered here`)
  const grant = wanted.grantTypes.find((type) => !policy.grantTypes.some((permitted) => permitted === type))
  if (grant !== undefined) throw invalidMetadata(`the grant type ${grant} may not be registered here`)
  const index = wanted.redirectUris.findIndex((uri) => !permitsRedirect(policy, wanted, uri))
  if (index !== -1) throw invalidRedirectUri(`redirect_uris[${index}] leads to a host that may not be registered here`)
}
