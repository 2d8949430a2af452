/**
 * Accounts elsewhere on the account pages: one is linked, or proves who the user is. Both lead to the provider and back by
 * `/callback/:connectorId`, with a state that names the verification, which belongs to the session of this browser (SECURITY R-27, R-29).
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { isEditable } from '../../domain/account/field-policy.ts'
import { addOwnIdentity } from '../../domain/account/own-identities.ts'
import {
  beginProofElsewhere,
  endProofElsewhere,
  type ProofElsewhere,
  wishOf,
} from '../../domain/account/proofs-elsewhere.ts'
import { beginOwnSocial, verifyOwnSocial } from '../../domain/account/social-verification.ts'
import type { SocialConnector } from '../../domain/sign-in/social-connectors.ts'
import { identityAt } from '../../domain/users/identities.ts'
import { type Answer, type Exchange, redirectTo } from '../../http/exchange.ts'
import type { Parameters } from '../../http/parameters.ts'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { fill } from '../../presentation/language.ts'
import type { Store } from '../../storage/store.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { nameIn } from '../social-buttons.ts'
import { type AccountContext, accountPage, entered, saved, toAccount, work } from './account-page.ts'
import { type Change, idOf, simpleForm, toConfirm } from './change-page.ts'

const STATE = 'account'

/** What the provider brings back: it names the verification. */
const newState = (id: string): string => `${STATE}.${id}.${newId()}`

/** The verification that a state names; undefined for that of a sign-in. */
export const verificationIn = (state: string): string | undefined => {
  const [kind, id, secret] = state.split('.')
  return kind === STATE && secret !== undefined ? id : undefined
}

const returnAddress = ({ exchange: { tenant } }: AccountContext, connectorId: string): string =>
  `${tenant.baseUrl}/callback/${connectorId}`

/** Where forms may lead to that end at a provider: browsers apply their policy to the redirect. */
export const providersOf = ({ exchange: { tenant } }: AccountContext): readonly string[] => [
  'https://provider.invalid',
  tenant.baseUrl,
]

/** The connectors whose accounts the user can still link. */
export const linkable = ({ rules: { center, experience }, user }: AccountContext): readonly SocialConnector[] =>
  isEditable(center, 'social')
    ? experience.socialConnectors.filter(({ target }) => identityAt(user, target) === undefined)
    : []

/** A provider by its name, as long as it is offered; otherwise by its target. */
export const shownTarget = ({ language, rules: { experience } }: AccountContext, target: string): string => {
  const connector = experience.socialConnectors.find((each) => each.target === target)
  return connector ? nameIn(language, connector.name) : target
}

const linked: Change = {
  field: 'social',
  section: 'security',
  async form(context) {
    const { language } = context
    const { phrases } = language
    const connector = linkable(context).find(({ id }) => id === idOf(context))
    if (!connector) throw notFound('connector', idOf(context))
    const provider = nameIn(language, connector.name)
    return {
      title: fill(phrases.account.linkTitle, { name: provider }),
      lead: phrases.account.linkLead,
      body: simpleForm(context, html``, fill(phrases.continueWith, { provider })),
      formTargets: providersOf(context),
    }
  },
  async submit(context) {
    const { holder, rules, cookies } = context
    const [id, connectorId] = [newId(), idOf(context)]
    const wanted = { redirectUri: returnAddress(context, connectorId), state: newState(id) }
    const begun = await beginOwnSocial(work(context, 'BeginLink'), holder, rules, connectorId, wanted, id)
    return { answer: redirectTo(begun.authorizationUri, cookies) }
  },
}

/** The form that leads to a proof. @param hidden fields of the page */
export const proofForm = (
  { language }: AccountContext,
  { connectorId, name }: ProofElsewhere,
  hidden: SafeHtml,
): SafeHtml => {
  const { phrases } = language
  const label = fill(phrases.continueWith, { provider: nameIn(language, name) })
  return html`<p>${phrases.account.confirmElsewhere}</p>
<form method="post" id="confirm">
${hidden}
<button type="submit" id="submit" name="way" value="${connectorId}">${label}</button>
</form>`
}

/** To the provider, for a proof. @param next where the proof is needed */
export const toProof = async (context: AccountContext, connectorId: string, next: string): Promise<Answer> => {
  const { holder, rules, cookies } = context
  const id = newId()
  const wanted = { redirectUri: returnAddress(context, connectorId), state: newState(id) }
  const doing = work(context, 'BeginProof')
  return redirectTo(await beginProofElsewhere(doing, holder, rules, connectorId, wanted, { id, next }), cookies)
}

const PROBLEM = 'problem'

/** What the page says that a user comes back to without success. */
export const problemElsewhere = ({ query, language: { phrases } }: AccountContext): string | undefined => {
  switch (entered(query, PROBLEM)) {
    case 'taken':
      return phrases.account.identityTaken
    case 'other':
      return phrases.account.otherIdentity
    case 'failed':
      return phrases.socialFailed
    default:
      return undefined
  }
}

const KIND: Readonly<Record<string, string>> = {
  'user.identity_already_in_use': 'taken',
  'user.identity_not_exist': 'other',
}

const problemOf = (error: unknown): string => {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  return KIND[error.code] ?? 'failed'
}

/** Back with an account to link: the proof is used up now. */
const link = async (context: AccountContext, id: string, connectorId: string, data: object): Promise<Answer> => {
  const { holder, rules } = context
  try {
    await verifyOwnSocial(work(context, 'VerifyLink'), holder, rules, id, { ...data })
    await perform(work(context, 'LinkIdentity'), addOwnIdentity, holder, rules, id, false)
    return saved(context, 'security')
  } catch (error) {
    if (error instanceof ApiError && error.code === 'verification_record.permission_denied')
      return toConfirm(context, `link-identity:${connectorId}`)
    return toAccount(context, `/security?${PROBLEM}=${problemOf(error)}`)
  }
}

const confirm = async (context: AccountContext, id: string, next: string, data: object): Promise<Answer> => {
  const { holder, rules } = context
  try {
    await endProofElsewhere(work(context, 'Confirm'), holder, rules, id, { ...data })
    return toAccount(context, pageAfter(next))
  } catch (error) {
    return toAccount(context, `/confirm?next=${encodeURIComponent(next)}&${PROBLEM}=${problemOf(error)}`)
  }
}

/** The page of the change, and which of several is changed. @param next as toConfirm wrote it */
export const pageAfter = (next: string): string => {
  const [, name, , id] = /^([a-z-]{1,32})(:(.{1,320}))?$/.exec(next) ?? []
  if (name === undefined) return '/profile'
  return `/change/${name}${id === undefined ? '' : `?id=${encodeURIComponent(id)}`}`
}

/** The user is back from a provider. @param id of the verification */
export const returnedToAccount = (
  store: Store,
  exchange: Exchange,
  connectorId: string,
  id: string,
  parameters: Parameters,
): Promise<Answer> =>
  accountPage('/account/security', async (context) => {
    const { holder } = context
    const data = Object.fromEntries([...parameters].map(([name, [value]]) => [name, value]))
    try {
      const wish = await wishOf(work(context, 'Return'), holder, id)
      // an answer of one provider is not taken for that of another
      if (wish.connectorId !== connectorId) throw new ApiError('verification_record.not_found')
      return wish.next === undefined
        ? await link(context, id, connectorId, data)
        : await confirm(context, id, wish.next, data)
    } catch (error) {
      return toAccount(context, `/security?${PROBLEM}=${problemOf(error)}`)
    }
  })(store, exchange)

export const linkChanges = { 'link-identity': linked } as const
