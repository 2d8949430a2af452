/** Sign-in at a provider through the pages: there, back by `/callback/:connectorId`, and for a new user the page that asks for consent. */
import { html } from '@remix-run/html-template'
import { shownName } from '../domain/applications/look.ts'
import { ssoConnectorOfSignIn } from '../domain/federation/enterprise/connectors.ts'
import { keepProof, type Proof } from '../domain/sign-in/elsewhere-proof.ts'
import { findDraft } from '../domain/sign-in/interaction-drafts.ts'
import { registerElsewhere } from '../domain/sign-in/registration-elsewhere.ts'
import { type Newcomer, signInElsewhere } from '../domain/sign-in/sign-in-elsewhere.ts'
import { beginSocial, proveOneTap, proveSocial } from '../domain/sign-in/social-proof.ts'
import { withCookies, writeCookie } from '../http/cookies.ts'
import { type Answer, redirectTo } from '../http/exchange.ts'
import { type Parameters, parseParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import { newId } from '../kernel/ids.ts'
import { fill } from '../presentation/language.ts'
import { afterSignIn, submissionOf } from './finish.ts'
import { hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import { LAST_USED, providerName } from './social-buttons.ts'
import { LINK, type Link, linkOf, linkPage, NEW, submitLink } from './social-link.ts'
import { hasAgreed, termsField } from './terms.ts'

/** In the query of the sign-in page: what went wrong with a sign-in at a provider. */
export const SOCIAL_PROBLEM = 'social-problem'
const LAST_USED_SECONDS = 365 * 86_400

const toProblem = (context: PageContext, what: 'failed' | 'taken' | 'terms'): Answer =>
  toPage(context, 'sign-in', `?${SOCIAL_PROBLEM}=${what}`)

/** What the sign-in page says of it. */
export const socialProblem = ({ exchange, language: { phrases } }: PageContext): string | undefined => {
  const [what] = parseParameters(exchange.queryText).get(SOCIAL_PROBLEM) ?? []
  if (what === 'taken') return phrases.ssoTaken
  return what === 'failed' ? phrases.socialFailed : what === 'terms' ? phrases.notAgreed : undefined
}

/** Does a step; what the API would refuse leads to the sign-in page, which says so. The audit log has the reason. */
export const orProblem = async (context: PageContext, work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (hasEnded(error)) return resume(context)
    return toProblem(context, error.code === 'user.email_already_in_use' ? 'taken' : 'failed')
  }
}

const confirmation = (context: PageContext, status: number, provider: string, errorText?: string): Answer => {
  const { client, formToken, interaction, language } = context
  const { phrases } = language
  const body = html`<h1 id="title">${phrases.createAccount}</h1>
<p class="lead">${fill(phrases.noSocialAccount, { provider, application: shownName(client) })}</p>
${problem(errorText)}
<form method="post" id="social">
<input type="hidden" name="token" value="${formToken}">
${termsField(context, 'Register')}
<button type="submit" id="submit">${phrases.createAccount}</button>
</form>
<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${phrases.backToSignIn}</a></p>`
  return framed(context, { status, title: phrases.createAccount, body })
}

/** The provider whose account was proved in this interaction and is no user's, with the record. */
const provedBefore = async (context: PageContext) => {
  const draft = await findDraft(stepOf(context, 'Register').work, context.interaction.id)
  const ofCompany = draft.verificationRecords.find((each) => each.type === 'EnterpriseSso')
  if (ofCompany?.account) {
    const { store, exchange } = context
    const provider = (await ssoConnectorOfSignIn(store, exchange.tenant, ofCompany.connectorId))?.name ?? ''
    return { recordId: ofCompany.id, record: undefined, provider }
  }
  const record = draft.verificationRecords.find((each) => each.type === 'Social')
  const connector = context.experience.socialConnectors.find(({ id }) => id === record?.connectorId)
  return record?.account && connector
    ? { recordId: record.id, record, provider: providerName(context, connector) }
    : undefined
}

/** What can be linked with the account that was proved. */
const linkHere = async (context: PageContext): Promise<Link | undefined> => {
  const proved = await provedBefore(context)
  return proved?.record && linkOf(context, proved.record, proved.provider)
}

/** The page that asks whether the account is to be linked with the one that has its address, or one is to be created. */
export const showSocial = (context: PageContext): Promise<Answer> =>
  orProblem(context, async () => {
    const proved = await provedBefore(context)
    if (!proved) return toPage(context, 'sign-in')
    const isNew = parseParameters(context.exchange.queryText).has(NEW)
    const { record } = proved
    const link = isNew || !record ? undefined : await linkOf(context, record, proved.provider)
    if (link) return linkPage(context, link, 200)
    return record && context.experience.signInMode === 'SignIn'
      ? toProblem(context, 'failed')
      : confirmation(context, 200, proved.provider)
  })

const begin = async (context: PageContext, connectorId: string): Promise<Answer> => {
  const { exchange, experience, interaction } = context
  const event = experience.signInMode === 'Register' ? 'Register' : 'SignIn'
  const step = stepOf(context, event)
  const redirectUri = `${exchange.tenant.baseUrl}/callback/${connectorId}`
  const state = `${interaction.id}.${newId()}`
  return redirectTo((await beginSocial(step, connectorId, { redirectUri, state }, event)).authorizationUri)
}

/** To the provider of a connector. */
export const toSocial = (context: PageContext, connectorId: string): Promise<Answer> =>
  orProblem(context, () => begin(context, connectorId))

/** Registers the user by an account that was proved in this interaction. */
export const registerHere = async (context: PageContext, recordId: string): Promise<Answer> =>
  afterSignIn(context, await registerElsewhere(stepOf(context, 'Register'), await submissionOf(context), recordId))

const register = async (context: PageContext, fields: Parameters): Promise<Answer> => {
  const proved = await provedBefore(context)
  if (!proved) return toPage(context, 'sign-in')
  return hasAgreed(context, 'Register', fields)
    ? registerHere(context, proved.recordId)
    : confirmation(context, 422, proved.provider, context.language.phrases.notAgreed)
}

/** A button of a provider, or one of those that link or create an account. */
export const submitSocial = async (context: PageContext): Promise<Answer> => {
  const fields = formFields(context)
  if (!fields) return toPage(context, 'sign-in')
  if (fields.has(LINK))
    return orProblem(context, async () => {
      const link = await linkHere(context)
      return link ? submitLink(context, link, fields) : toConfirmation(context)
    })
  const [connectorId] = fields.get('connector') ?? []
  if (connectorId === undefined) return orProblem(context, () => register(context, fields))
  if (!hasAgreed(context, 'SignIn', fields)) return toProblem(context, 'terms')
  return toSocial(context, connectorId)
}

/** To the page that asks whether an account is to be created. */
export const toConfirmation = ({ exchange, interaction }: PageContext): Answer =>
  redirectTo(`${exchange.tenant.baseUrl}/social/${interaction.id}`)

const toConfirmed = (context: PageContext): Newcomers => ({
  otherwise: () => toConfirmation(context),
  isNewWelcome: false,
})

/** Remembers the button that was used. */
const remembering = ({ exchange, experience }: PageContext, connectorId: string, answer: Answer): Answer => {
  const target = experience.socialConnectors.find(({ id }) => id === connectorId)?.target
  return target ? withCookies(answer, [writeCookie(exchange.tenant, LAST_USED, target, LAST_USED_SECONDS)]) : answer
}

interface Newcomers {
  /** What follows for an account that is no user's. */
  readonly otherwise: (newcomer: Newcomer) => Promise<Answer> | Answer
  /** Whether they have an account here at once, where no registration is under way. */
  readonly isNewWelcome: boolean
}

/** Signs in by an account that was proved, unless a registration is under way. */
export const signInBy = async (
  context: PageContext,
  proof: Proof,
  { otherwise, isNewWelcome }: Newcomers,
): Promise<Answer> => {
  const { experience, interaction } = context
  const step = stepOf(context, 'SignIn')
  const event = proof.event ?? interaction.state.draft?.interactionEvent
  if (experience.signInMode === 'Register' || event === 'Register')
    return otherwise({ recordId: await keepProof(step, proof) })
  const signedIn = await signInElsewhere(step, await submissionOf(context), proof, isNewWelcome)
  return 'recordId' in signedIn ? otherwise(signedIn) : afterSignIn(context, signedIn)
}

/** The user is back from the provider. */
export const returnedFromSocial = (
  context: PageContext,
  connectorId: string,
  parameters: Parameters,
): Promise<Answer> =>
  orProblem(context, async () => {
    const data = Object.fromEntries([...parameters].map(([name, [value]]) => [name, value]))
    const proof = await proveSocial(stepOf(context, 'SignIn'), context.interaction.state.draft, connectorId, data)
    return remembering(context, connectorId, await signInBy(context, proof, toConfirmed(context)))
  })

/** Google One Tap has sent who the user is, from the sign-in page. */
export const tappedAtGoogle = (context: PageContext, connectorId: string, credential: string): Promise<Answer> =>
  orProblem(context, async () => {
    const event = context.experience.signInMode === 'Register' ? 'Register' : 'SignIn'
    const proof = { ...(await proveOneTap(stepOf(context, event), connectorId, credential, false)), event } as const
    return remembering(context, connectorId, await signInBy(context, proof, toConfirmed(context)))
  })
