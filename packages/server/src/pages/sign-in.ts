/** The sign-in page: a name and a password, or a code in its place. */

import { html } from '@remix-run/html-template'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { sendVerificationCode } from '../domain/sign-in/code-proof.ts'
import { accountNames } from '../domain/sign-in/identity.ts'
import { startDraft } from '../domain/sign-in/interaction-drafts.ts'
import { signInPasskeyOptions, verifySignInPasskey } from '../domain/sign-in/passkey-proof.ts'
import { canRegister, codeIdentifiers, passwordIdentifiers, readAddress } from '../domain/sign-in/rules.ts'
import { signInWithPassword } from '../domain/sign-in/sign-in.ts'
import { identify } from '../domain/sign-in/submission.ts'
import type { Answer } from '../http/exchange.ts'
import { bothParties } from '../http/html-page.ts'
import { type Parameters, parseParameters } from '../http/parameters.ts'
import { perform } from '../storage/unit-of-work.ts'
import { captchaOf, humanStep } from './captcha.ts'
import { credentialsForm } from './credentials-form.ts'
import { afterSignIn, finish, submissionOf } from './finish.ts'
import { EXPIRED } from './forgot-password.ts'
import { excessOf, type FormError, formErrorOf, hasEnded, isExpiredPassword } from './form-error.ts'
import { formFields, framed, type PageContext, resume, stepOf, toPage } from './interaction-page.ts'
import { oneTap } from './one-tap.ts'
import { broughtPasskey, passkeyForm } from './passkey-form.ts'
import { socialProblem } from './social.ts'
import { marksElsewhere, providerTargets, socialButtons } from './social-buttons.ts'
import { chosenSso, organizationButtons, SSO, ssoButton, ssoInError, ssoOf, toSso } from './sso.ts'
import { asksForTerms, hasAgreed, termsField } from './terms.ts'

/** In the query when the user comes from resetting their password. */
export const PASSWORD_CHANGED = 'password-changed'

/** In the query, and as the action of a button: which of the two is asked for. */
const [WITH, CODE, PASSWORD] = ['with', 'code', 'password']

/** What can be signed in with, by password or by code: each identifier once. */
const allIdentifiers = ({ experience }: PageContext) => {
  const types = new Set([...passwordIdentifiers(experience), ...codeIdentifiers(experience)])
  return experience.signIn.methods.map(({ identifier }) => identifier).filter((type) => types.has(type))
}

/** Whether users sign in elsewhere only: there is no name to enter but the address that leads to a company. */
const isElsewhere = ({ experience }: PageContext): boolean => experience.signIn.methods.length === 0

/** The addresses of which the code comes first: the settings say so, or there is no password. */
const codeFirst = ({ experience }: PageContext) => {
  const { methods } = experience.signIn
  const isPasswordFirst = (type: string) =>
    methods.some(({ identifier, password, isPasswordPrimary }) => identifier === type && password && isPasswordPrimary)
  return codeIdentifiers(experience).filter((type) => !isPasswordFirst(type))
}

/** Whether the form asks for a name alone: for some of them a code is sent. The query says if the password is wanted. */
const asksForCode = (context: PageContext): boolean => {
  const { experience, exchange } = context
  const [wanted] = parseParameters(exchange.queryText).get(WITH) ?? []
  const isWithout = passwordIdentifiers(experience).length === 0
  return codeFirst(context).length > 0 && (isWithout || wanted !== PASSWORD)
}

/** The other way: a button where the name is enough for it, a link to the field for a password. */
const otherWay = (context: PageContext, isCode: boolean) => {
  const { experience, interaction, language } = context
  const { phrases } = language
  if (codeIdentifiers(experience).length === 0 || passwordIdentifiers(experience).length === 0)
    return { button: html``, link: html`` }
  return isCode
    ? {
        button: html``,
        link: html`<p class="aside"><a id="use-password" href="/sign-in/${interaction.id}?${WITH}=${PASSWORD}">${phrases.usePassword}</a></p>`,
      }
    : {
        button: html`<button type="submit" class="quiet" id="use-code" name="action" value="${CODE}" formnovalidate>${phrases.useCode}</button>`,
        link: html``,
      }
}

/** @param errorText what to say above the form @param isCode whether it asks for a code and for no password */
const form = async (
  context: PageContext,
  status: number,
  identifier: string,
  errorText?: string,
  fields?: Parameters,
  errorField?: FormError['field'],
  isCode = asksForCode(context),
): Promise<Answer> => {
  const { phrases } = context.language
  const { experience, interaction, exchange } = context
  const other = otherWay(context, isCode)
  const forgot =
    experience.canResetPassword && !isCode && !isElsewhere(context)
      ? html`<p class="aside"><a id="forgot-password" href="/forgot-password/${interaction.id}">${phrases.forgotPassword}</a></p>`
      : html``
  const register = canRegister(experience)
    ? html`<p class="aside">${phrases.noAccount} <a id="register" href="/register/${interaction.id}">${phrases.createAccount}</a></p>`
    : html``
  const { enabled, showPasskeyButton, allowAutofill } = experience.passkeySignIn
  const passkey =
    enabled && !asksForTerms(context, 'SignIn')
      ? passkeyForm(context, {
          ceremony: 'get',
          options: await signInPasskeyOptions(stepOf(context, 'SignIn')),
          button: phrases.signInWithPasskey,
          fields: {},
          isQuiet: true,
          isShown: showPasskeyButton,
          isOffered: allowAutofill,
        })
      : html``
  const types = allIdentifiers(context)
  const hasNoMethod = isElsewhere(context)
  const captcha = hasNoMethod ? { field: html`` } : await captchaOf(context, 'SignIn', identifier, types)
  const tap = await oneTap(context)
  const ofOrganization = await organizationButtons(context)
  const wasReset = parseParameters(exchange.queryText).has(PASSWORD_CHANGED)
  const body = credentialsForm(context, {
    title: phrases.signIn,
    lead: phrases.signInTo,
    types: hasNoMethod && experience.hasSso ? ['email'] : types,
    hasName: !hasNoMethod || experience.hasSso,
    password: isCode || hasNoMethod ? undefined : 'current-password',
    button: hasNoMethod ? undefined : isCode ? phrases.continue : phrases.signIn,
    otherButton: html`${other.button}${ofOrganization.buttons}${ssoButton(context)}${socialButtons(context)}`,
    isPasswordOptional: experience.hasSso,
    errorText,
    errorField,
    notice: wasReset && errorText === undefined ? phrases.passwordChanged : undefined,
    identifier,
    terms: termsField(context, 'SignIn', fields),
    captcha: captcha.field,
    aside: html`${other.link}${passkey}${forgot}${register}${tap.element}`,
    hasPasskeys: enabled && allowAutofill && !asksForTerms(context, 'SignIn'),
  })
  return framed(context, {
    status,
    title: phrases.signIn,
    body,
    thirdParty: bothParties(captcha.thirdParty, tap.thirdParty),
    formTargets: providerTargets(context),
    images: [...marksElsewhere(experience.socialConnectors), ...ofOrganization.images],
  })
}

/** If only registration is offered, go there. */
const toRegister = (context: PageContext): Answer => toPage(context, 'register')

/** The initial value of the name field: of the chosen account, or what the application expects. */
const firstIdentifier = async (context: PageContext): Promise<string> => {
  const { store, exchange, interaction } = context
  const { chosenAccount } = interaction.state
  const { loginHint = '' } = interaction.request
  if (chosenAccount === undefined || chosenAccount === 'another') return loginHint
  const [chosen] = await accountNames(store, exchange.tenant, [chosenAccount.userId], allIdentifiers(context))
  return chosen?.identifier ?? ''
}

export const showSignIn = async (context: PageContext): Promise<Answer> =>
  context.experience.signInMode === 'Register'
    ? toRegister(context)
    : form(context, 200, await firstIdentifier(context), socialProblem(context))

/** A passkey says who signs in, and is all that is asked for. */
const signInWithPasskey = async (context: PageContext, passkey: AuthenticationResponseJSON): Promise<Answer> => {
  const { interaction, experience, language } = context
  const step = stepOf(context, 'SignIn')
  try {
    await perform(step.work, startDraft, interaction.id, 'SignIn')
    await perform(step.work, identify, interaction.id, experience, await verifySignInPasskey(step, passkey))
    return await finish(context, 'SignIn')
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, language.phrases)
    return form(context, status, '', text)
  }
}

/**
 * Sends a code to what was entered, and goes on to the page for it; asks for the password of a name that has one first.
 * @param isWanted whether the button for a code was pressed
 */
const signInWithCode = async (context: PageContext, typed: string, fields: Parameters, isWanted: boolean) => {
  const { interaction, experience, language } = context
  const { phrases } = language
  const address = readAddress(typed, isWanted ? codeIdentifiers(experience) : codeFirst(context))
  if (!address) {
    if (passwordIdentifiers(experience).length === 0) return form(context, 422, typed, phrases.invalidAddress, fields)
    return isWanted
      ? form(context, 422, typed, phrases.noCodeForName, fields, undefined, false)
      : form(context, 200, typed, undefined, fields, undefined, false)
  }
  try {
    const step = await humanStep(context, 'SignIn', fields, typed, [address.type])
    await perform(step.work, startDraft, interaction.id, 'SignIn', step.isHuman)
    await sendVerificationCode(step, 'SignIn', address)
    return toPage(context, 'sign-in-code')
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text, field } = formErrorOf(error, phrases)
    return form(context, status, typed, text, fields, field)
  }
}

export const submitSignIn = async (context: PageContext): Promise<Answer> => {
  const { experience, language } = context
  const { phrases } = language
  if (experience.signInMode === 'Register') return toRegister(context)
  const fields = formFields(context)
  if (!fields) return form(context, 400, '', phrases.expiredForm)
  const passkey = broughtPasskey<AuthenticationResponseJSON>(fields.get('payload')?.[0] ?? '')
  if (passkey && !asksForTerms(context, 'SignIn')) return signInWithPasskey(context, passkey)
  const identifier = (fields.get('identifier')?.[0] ?? '').trim()
  const password = fields.get('password')?.[0] ?? ''
  const isWanted = fields.get('action')?.[0] === CODE && codeIdentifiers(experience).length > 0
  const isCode = isWanted || (password === '' && asksForCode(context))
  const [action] = fields.get('action') ?? []
  const chosen = chosenSso(action)
  if (chosen !== undefined)
    return hasAgreed(context, 'SignIn', fields)
      ? toSso(context, [chosen], '')
      : form(context, 422, identifier, phrases.notAgreed)
  const isSso = action === SSO
  if (isSso || identifier.includes('@')) {
    const connectorIds = await ssoOf(context, identifier)
    if (connectorIds.length > 0)
      return hasAgreed(context, 'SignIn', fields)
        ? toSso(context, connectorIds, identifier)
        : form(context, 422, identifier, phrases.notAgreed)
    if (isSso) return form(context, 422, identifier, phrases.noSso, fields, 'identifier')
  }
  if (identifier === '' || (password === '' && !isCode)) return form(context, 422, identifier, phrases.missing, fields)
  if (!hasAgreed(context, 'SignIn', fields)) return form(context, 422, identifier, phrases.notAgreed)
  const excess = excessOf(identifier, password, phrases)
  if (excess !== undefined) return form(context, 422, identifier, excess, fields)
  if (isCode) return signInWithCode(context, identifier, fields, isWanted)
  try {
    const attempt = { ...(await submissionOf(context)), experience, identifier, password }
    const { work } = await humanStep(context, 'SignIn', fields, identifier, passwordIdentifiers(experience))
    return await afterSignIn(context, await signInWithPassword(work, attempt))
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const connectorIds = ssoInError(error)
    if (connectorIds) return toSso(context, connectorIds, identifier)
    if (isExpiredPassword(error) && experience.canResetPassword)
      return toPage(context, 'forgot-password', `?${EXPIRED}`)
    const { status, text, field } = formErrorOf(error, phrases)
    return form(context, status, identifier, text, fields, field)
  }
}
