/** What the transmitter says of itself (Shared Signals Framework 1.0 section 7.1). */
import { type Answer, type Exchange, jsonAnswer } from '../../http/exchange.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { PUBLIC_DOCUMENT } from '../discovery.ts'
import { signalsResource } from './receiver.ts'

/** Delivery by polling (RFC 8936), and to an address of the receiver (RFC 8935). */
export const POLL = 'urn:ietf:rfc:8936'
export const PUSH = 'urn:ietf:rfc:8935'

export const pollAddress = (tenant: Tenant, streamId: string): string => `${signalsResource(tenant)}/poll/${streamId}`

/** `default_subjects` is not in it: each receiver has its own. */
export const signalsConfiguration = async ({ tenant }: Exchange): Promise<Answer> => {
  const at = signalsResource(tenant)
  const document = {
    spec_version: '1_0',
    issuer: tenant.issuer,
    jwks_uri: `${tenant.issuer}/jwks`,
    delivery_methods_supported: [PUSH, POLL],
    configuration_endpoint: `${at}/streams`,
    status_endpoint: `${at}/status`,
    add_subject_endpoint: `${at}/subjects/add`,
    remove_subject_endpoint: `${at}/subjects/remove`,
    verification_endpoint: `${at}/verification`,
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
  }
  return jsonAnswer(200, document, PUBLIC_DOCUMENT)
}
