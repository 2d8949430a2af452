/**
 * GET /api/saml-applications/:id/callback: the end of a sign-in to a SAML application. The code of the authorization is consumed
 * here and never leaves the server; the application gets a response with an assertion, or with the status of a refusal.
 */
import { samlCallbackOf, summaryOf } from '../domain/applications/clients.ts'
import { answerSamlRequest, type SamlRequest } from '../domain/applications/saml-requests.ts'
import { consumeCode } from '../domain/issued/authorization-codes.ts'
import { findSession, type Session } from '../domain/sessions/sessions.ts'
import { type Holder, readHolder } from '../domain/sign-in/identity.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import type { Store } from '../storage/store.ts'
import { operation, perform } from '../storage/unit-of-work.ts'
import type { Status } from '../tokens/saml/names.ts'
import { successResponse } from '../tokens/saml/response.ts'
import { attributesOf, nameIdOf, scopesOf } from '../tokens/saml/subject.ts'
import { classOf } from './authn-context.ts'
import { postPage } from './post-page.ts'
import { forServiceProvider, SamlRefusal } from './refusal-page.ts'
import { activeKeyOf, envelopeOf, refuseToProvider } from './refuse.ts'
import type { ServiceProvider } from './service-provider.ts'

/** Error of the authorization endpoint → what the application is told. */
const STATUS_OF: ReadonlyMap<string, Status> = new Map<string, Status>([
  ['login_required', { code: 'Responder', detail: 'NoPassive' }],
  ['access_denied', { code: 'Responder', detail: 'RequestDenied' }],
  ['unmet_authentication_requirements', { code: 'Responder', detail: 'NoAuthnContext' }],
])

/** What came back, and what of it can be used. */
interface Ended {
  readonly request: SamlRequest
  /** Undefined: the user may not be signed in to the application. */
  readonly user?: { readonly holder: Holder; readonly session: Session; readonly amr: readonly string[] } | undefined
}

/**
 * Marks the request as answered and consumes the code. Undefined: no such request waits. The code has to be of the browser's own
 * session, so that no one can be signed in as another by a link.
 */
const ended = operation(
  [],
  async (
    unit,
    { client, settings }: ServiceProvider,
    state: string,
    value: string | undefined,
    session: Session | undefined,
  ): Promise<Ended | undefined> => {
    const request = await answerSamlRequest(unit, client.id, state)
    if (!request) return undefined
    unit.note({ applicationId: client.id, samlRequestId: request.id })
    const code = value === undefined ? undefined : await consumeCode(unit, value, client.id)
    if (!code || !session) return { request }
    unit.note({ userId: code.user_id, grantId: code.grant_id })
    const isOwn = code.session_id === session.id && code.redirect_uri === samlCallbackOf(unit.tenant, client.id)
    if (!isOwn || code.user.is_suspended) return { request }
    const question = { userId: code.user_id, scopes: scopesOf(settings), client }
    const holder = await readHolder(unit, unit.tenant, question)
    return { request, user: holder?.isAdmitted ? { holder, session, amr: code.amr } : undefined }
  },
)

const respond = async (
  store: Store,
  exchange: Exchange,
  provider: ServiceProvider,
  request: SamlRequest,
  { holder, session, amr }: NonNullable<Ended['user']>,
): Promise<Answer> => {
  const { client, settings } = provider
  const { id: userId, primary_email: email, email_verified_at: verifiedAt } = holder.user
  const nameId = nameIdOf(store.vault, exchange.tenant, settings, {
    applicationId: client.id,
    userId,
    sessionId: session.id,
    verifiedEmail: (verifiedAt && email) || undefined,
  })
  const refuse = (status: Status) => refuseToProvider(store, exchange, provider, request, status)
  if (!nameId)
    return refuse({ code: 'Responder', detail: 'AuthnFailed', message: 'the user has no verified email address' })
  if (request.subject !== undefined && request.subject !== nameId.value)
    return refuse({ code: 'Responder', detail: 'UnknownPrincipal', message: 'another user signed in' })
  const user = {
    nameId,
    audience: settings.entityId ?? request.acsUrl,
    authenticatedAt: session.authenticatedAt,
    contextClass: classOf(amr, request.classes),
    sessionIndex: session.id,
    sessionEndsAt: session.expiresAt,
    attributes: attributesOf(settings, holder),
  }
  const { encryption } = settings
  const xml = await successResponse(envelopeOf(store, exchange, client.id, request), user, {
    key: activeKeyOf(provider),
    signsResponse: settings.signResponse || encryption?.encryptThenSign === true,
    encryptFor: encryption?.encryptAssertion ? encryption.certificate : undefined,
  })
  return postPage(store, exchange, client, { destination: request.acsUrl, xml, relayState: request.relayState })
}

export const samlCallback = (store: Store) =>
  forServiceProvider(store, 'SamlApplication.Callback', async (exchange, provider) => {
    const { tenant } = exchange
    const parameters = parseParameters(exchange.queryText)
    const one = (name: string) => parameters.get(name)?.[0]
    const session = await findSession(store, tenant, readCookie(exchange, 'session'))
    const caller = callerOf(exchange, 'SamlApplication.Callback', {
      application: summaryOf(provider.client),
      ...(session ? { actor: { type: 'user', id: session.userId } } : {}),
    })
    const outcome = await perform({ store, tenant, caller }, ended, provider, one('state') ?? '', one('code'), session)
    if (!outcome) throw new SamlRefusal('pushedRequestGone', 'no request of the application waits for this answer')
    const { request, user } = outcome
    if (user) return respond(store, exchange, provider, request, user)
    const error = one('error')
    const status: Status | undefined =
      error === undefined ? { code: 'Responder', detail: 'AuthnFailed' } : STATUS_OF.get(error)
    return refuseToProvider(store, exchange, provider, request, status ?? { code: 'Responder' })
  })
