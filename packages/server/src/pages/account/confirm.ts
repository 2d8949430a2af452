/** `/account/confirm`: the user proves who they are, with what they have, before a sensitive change; then comes the page of the change. */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { sendOwnCode, verifyOwnCode } from '../../domain/account/code-verification.ts'
import { beginPasskeyProof, provePasskey } from '../../domain/account/own-passkeys.ts'
import { verifyOwnPassword } from '../../domain/account/password-verification.ts'
import { type ProofElsewhere, proofsElsewhere } from '../../domain/account/proofs-elsewhere.ts'
import { verifyOwnTotp } from '../../domain/account/totp-verification.ts'
import { listFactors } from '../../domain/factors/administration.ts'
import type { Address } from '../../domain/sign-in/draft.ts'
import type { Answer } from '../../http/exchange.ts'
import { pageScript } from '../../http/page-script.ts'
import type { Parameters } from '../../http/parameters.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { fill } from '../../presentation/language.ts'
import { passwordField } from '../credentials-form.ts'
import type { FormError } from '../form-error.ts'
import { problem } from '../interaction-page.ts'
import { codeField, shownAddress, typedCode } from '../message-code.ts'
import { broughtPasskey, passkeyForm } from '../passkey-form.ts'
import { nameIn } from '../social-buttons.ts'
import {
  type AccountContext,
  accountFields,
  accountFrame,
  entered,
  toAccount,
  tokenField,
  work,
} from './account-page.ts'
import { changeErrorOf } from './change-page.ts'
import { pageAfter, problemElsewhere, proofForm, providersOf, toProof } from './elsewhere.ts'

const WAYS = ['password', 'totp', 'email', 'phone', 'passkey'] as const
type Way = (typeof WAYS)[number]

const addressOf = ({ user }: AccountContext, type: 'email' | 'phone'): Address | undefined => {
  const value = type === 'email' ? user.primary_email : user.primary_phone
  return value === null ? undefined : { type, value }
}

/** What this user can prove it with. */
const waysOf = async (context: AccountContext): Promise<readonly Way[]> => {
  const { store, exchange, user, rules } = context
  const { canMail, canText } = rules.experience
  const factors = await listFactors(store, exchange.tenant, user.id)
  const has = (type: string) => factors.some((factor) => factor.type === type)
  const possible = {
    password: user.password_hash !== null,
    totp: has('Totp'),
    email: canMail && user.primary_email !== null,
    phone: canText && user.primary_phone !== null,
    passkey: has('WebAuthn'),
  }
  return WAYS.filter((way) => possible[way])
}

/** Where else they can. */
const elsewhereOf = ({
  store,
  exchange: { tenant },
  rules,
  user,
}: AccountContext): Promise<readonly ProofElsewhere[]> => proofsElsewhere({ store, tenant }, rules.experience, user)

const hiddenFields = (context: AccountContext, way: Way): SafeHtml =>
  html`${tokenField(context)}<input type="hidden" name="way" value="${way}">`

interface Sent {
  readonly address: Address
  readonly verificationId: string
}

/** The form of a way. @param sent the code that was sent */
const wayForm = async (context: AccountContext, way: Way, error: FormError | undefined, sent: Sent | undefined) => {
  const { language, rules, holder } = context
  const { phrases } = language
  if (way === 'passkey') {
    const begun = await beginPasskeyProof(work(context, 'BeginPasskeyProof'), holder, rules)
    const { authenticationOptions: options, verificationRecordId: verificationId } = begun
    return passkeyForm(context, {
      ceremony: 'get',
      options,
      button: phrases.usePasskey,
      fields: { way, verificationId },
    })
  }
  if (way === 'password') {
    const field = passwordField(
      { language, experience: rules.experience },
      { autocomplete: 'current-password', label: phrases.password, isInvalid: error !== undefined, isFirst: true },
    )
    return html`<form method="post" id="confirm">
${hiddenFields(context, way)}
${field}
<button type="submit" id="submit">${phrases.confirm}</button>
</form>${pageScript('SHOW_PASSWORD')}`
  }
  if (way !== 'totp' && !sent) {
    const address = addressOf(context, way)
    return html`<p>${fill(phrases.secondFactorSend, { address: address ? shownAddress(address) : '' })}</p>
<form method="post" id="confirm">
${hiddenFields(context, way)}
<button type="submit" id="submit">${phrases.sendCode}</button>
</form>`
  }
  return html`${sent ? html`<p>${fill(phrases.account.codeSent, { address: shownAddress(sent.address) })}</p>` : ''}
<form method="post" id="confirm">
${hiddenFields(context, way)}
${sent ? html`<input type="hidden" name="verificationId" value="${sent.verificationId}">` : ''}
${codeField(context, error !== undefined)}
<button type="submit" id="submit">${phrases.confirm}</button>
</form>`
}

const NAME = {
  password: ({ password }) => password,
  totp: ({ factorName }) => factorName.Totp,
  email: ({ factorName }) => factorName.EmailVerificationCode,
  phone: ({ factorName }) => factorName.PhoneVerificationCode,
  passkey: ({ factorName }) => factorName.WebAuthn,
} as const satisfies Record<Way, (phrases: AccountContext['language']['phrases']) => string>

const page = async (context: AccountContext, wanted: string, error?: FormError, sent?: Sent): Promise<Answer> => {
  const { language, query } = context
  const { phrases } = language
  const [ways, elsewhere] = await Promise.all([waysOf(context), elsewhereOf(context)])
  const proof =
    elsewhere.find(({ connectorId }) => connectorId === wanted) ?? (ways.length === 0 ? elsewhere[0] : undefined)
  const way = proof ? undefined : (ways.find((each) => each === wanted) ?? ways[0])
  const next = encodeURIComponent(entered(query, 'next'))
  const all = [
    ...ways.map((each) => ({ each, name: NAME[each](phrases) })),
    ...elsewhere.map(({ connectorId, name }) => ({ each: connectorId, name: nameIn(language, name) })),
  ]
  const others = all
    .filter(({ each }) => each !== way && each !== proof?.connectorId)
    .map(
      ({ each, name }) =>
        html`<li><a id="by-${each}" href="/account/confirm?next=${next}&way=${each}">${name}</a></li>`,
    )
  return accountFrame(context, {
    section: 'security',
    title: phrases.secondFactorTitle,
    ...(error ? { status: error.status } : {}),
    ...(proof ? { formTargets: providersOf(context) } : {}),
    body: html`<p class="lead">${way || proof ? phrases.account.confirmLead : phrases.account.noWay}</p>
${problem(error?.text ?? problemElsewhere(context))}
${way ? await wayForm(context, way, error, sent) : ''}${proof ? proofForm(context, proof, tokenField(context)) : ''}
${others.length > 0 ? html`<section class="others"><h2>${phrases.anotherWay}</h2><ul>${others}</ul></section>` : ''}`,
  })
}

export const showConfirm = (context: AccountContext): Promise<Answer> => page(context, entered(context.query, 'way'))

/** Proves it; gives what was sent where a code is needed first. */
const prove = async (context: AccountContext, fields: Parameters): Promise<Sent | undefined> => {
  const { holder, rules, language } = context
  const { experience } = rules
  const way = entered(fields, 'way')
  const id = entered(fields, 'verificationId')
  const doing = work(context, 'Confirm')
  switch (way) {
    case 'password':
      await verifyOwnPassword(doing, holder, experience, entered(fields, 'password'))
      return undefined
    case 'totp':
      await verifyOwnTotp(doing, holder, experience, typedCode(entered(fields, 'code')))
      return undefined
    case 'passkey': {
      const passkey = broughtPasskey<AuthenticationResponseJSON>(entered(fields, 'payload'))
      if (!passkey) throw new ApiError('session.mfa.webauthn_verification_failed')
      await provePasskey(doing, holder, rules, id, passkey)
      return undefined
    }
    default: {
      const address = addressOf(context, way === 'phone' ? 'phone' : 'email')
      if (!address) throw new ApiError('connector.not_found')
      if (id !== '') {
        await verifyOwnCode(doing, holder, experience, address, id, typedCode(entered(fields, 'code')))
        return undefined
      }
      const usage = 'UserPermissionValidation'
      const { verificationRecordId } = await sendOwnCode(doing, holder, rules, address, usage, language.tag)
      return { address, verificationId: verificationRecordId }
    }
  }
}

export const submitConfirm = async (context: AccountContext): Promise<Answer> => {
  const { phrases } = context.language
  const fields = accountFields(context)
  if (!fields) return page(context, '', { status: 400, text: phrases.expiredForm })
  const way = entered(fields, 'way')
  const next = entered(context.query, 'next')
  try {
    if ((await elsewhereOf(context)).some(({ connectorId }) => connectorId === way))
      return await toProof(context, way, next)
    const sent = await prove(context, fields)
    return sent ? await page(context, way, undefined, sent) : toAccount(context, pageAfter(next))
  } catch (error) {
    const refused = changeErrorOf(error, phrases)
    const address = way === 'email' || way === 'phone' ? addressOf(context, way) : undefined
    const verificationId = entered(fields, 'verificationId')
    const isWrong = error instanceof ApiError && error.code === 'verification_code.code_mismatch'
    return page(context, way, refused, isWrong && address ? { address, verificationId } : undefined)
  }
}
