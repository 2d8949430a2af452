/**
 * In which form an authorization request may come, and what its parameters are: pushed or not, as a signed request object or as
 * they are (RFC 9126 section 5, RFC 9101 section 10.5).
 */
import type { Client } from '../../domain/applications/clients.ts'
import { hasKeys } from '../../domain/applications/keys-of-client.ts'
import type { Parameters } from '../../http/parameters.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { AuthorizationError } from './authorization-error.ts'
import { CERTIFICATE_OF_REQUEST } from './limits.ts'
import { withAnswerOfObject } from './request-object.ts'
import { parametersOfObject } from './signed-request.ts'

/** How the request came: to the authorization endpoint, to that of pushed requests, or as one that was pushed and opened before. */
type Arrival = 'direct' | 'pushing' | 'pushed'

export interface OpenedRequest {
  /** With an objection: what says where the error goes, and nothing else of it may be used. */
  readonly parameters: Parameters
  readonly objection?: AuthorizationError
}

const checkForm = (client: Client, sent: Parameters, arrival: Arrival): void => {
  const { requirePushedAuthorizationRequests, requireSignedRequestObject } = client.metadata
  if (requirePushedAuthorizationRequests && arrival === 'direct')
    throw new AuthorizationError('invalid_request', 'the application has to push its requests (RFC 9126)')
  const object = sent.get('request')?.[0]
  if (requireSignedRequestObject && !object)
    throw new AuthorizationError(
      'invalid_request',
      'the application has to send its requests as signed request objects',
    )
  if (object && sent.get('request_uri')?.[0])
    throw new AuthorizationError('invalid_request', 'request and request_uri cannot be sent together')
}

/** Without what only this server may say of a request. */
const withoutOwn = (parameters: Parameters): Parameters =>
  parameters.has(CERTIFICATE_OF_REQUEST)
    ? new Map([...parameters].filter(([name]) => name !== CERTIFICATE_OF_REQUEST))
    : parameters

/**
 * The parameters to be checked. A request object of an application without keys, or a repeated one, stays among them: the checks
 * refuse it.
 */
export const openedRequest = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  sent: Parameters,
  arrival: Arrival,
  now: Date,
): Promise<OpenedRequest> => {
  if (arrival === 'pushed') return { parameters: sent }
  const outside = withAnswerOfObject(sent)
  try {
    checkForm(client, sent, arrival)
    const [object, ...more] = sent.get('request') ?? []
    const isOpened = object && more.length === 0 && hasKeys(client)
    const parameters = isOpened ? await parametersOfObject(store, tenant, client, object, now) : outside
    return { parameters: withoutOwn(parameters) }
  } catch (error) {
    if (error instanceof AuthorizationError) return { parameters: outside, objection: error }
    throw error
  }
}
