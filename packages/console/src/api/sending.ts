/** How requests to the Management API are sent: with a token that is good, and with care where no answer comes. */
import type { StepUp } from '../session/authorization.ts'
import { accessToken, forgetToken, interrupt } from '../session/session.ts'
import { doubtConnection, isGatewayStatus } from './connection.ts'
import { OutcomeUnknown } from './failure.ts'

/** A read that takes longer has lost its connection. */
const READ_TIMEOUT_MS = 40_000

/** What a challenge asks for (RFC 9470 section 3); undefined when it does not ask for a fresh sign-in. */
const stepUpOf = (challenge: string): StepUp | undefined => {
  if (!challenge.includes('insufficient_user_authentication')) return undefined
  const value = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1]
  const [maxAge, acrValues] = [value('max_age'), value('acr_values')]
  return { ...(maxAge === undefined ? {} : { maxAge }), ...(acrValues === undefined ? {} : { acrValues }) }
}

const isRead = (request: RequestInit | undefined): boolean => (request?.method ?? 'GET') === 'GET'

/** Ends a read that gets no answer in time. */
const inTime = (request: RequestInit | undefined): RequestInit | undefined => {
  if (!isRead(request)) return request
  const timeout = AbortSignal.timeout(READ_TIMEOUT_MS)
  return { ...request, signal: request?.signal ? AbortSignal.any([request.signal, timeout]) : timeout }
}

/**
 * Sends a request once. Throws what `fetch` throws for a read, and OutcomeUnknown for a change that got no answer, or that of a proxy: it
 * may have arrived, so that nothing sends it again by itself.
 */
const once: typeof fetch = async (address, request) => {
  try {
    const response = await fetch(address, inTime(request))
    if (isGatewayStatus(response.status)) void doubtConnection()
    if ([502, 504].includes(response.status) && !isRead(request)) throw new OutcomeUnknown()
    return response
  } catch (error) {
    if (error instanceof OutcomeUnknown || request?.signal?.aborted) throw error
    void doubtConnection()
    throw isRead(request) ? error : new OutcomeUnknown()
  }
}

/** Whether the server asks for a fresh sign-in, which the listeners are told. */
const asksForSignIn = ({ headers }: Response): boolean => {
  const stepUp = stepUpOf(headers.get('www-authenticate') ?? '')
  if (stepUp) interrupt(stepUp)
  return stepUp !== undefined
}

/** Sends a request; once more with another token where the server no longer takes this one, which ends where the session has ended. */
export const send: typeof fetch = async (address, request) => {
  const response = await once(address, request)
  if (response.status !== 401 || asksForSignIn(response)) return response
  forgetToken()
  const headers = new Headers(request?.headers)
  headers.set('authorization', `Bearer ${await accessToken()}`)
  const again = await once(address, { ...request, headers })
  asksForSignIn(again)
  return again
}
