/**
 * The captcha of a form: a proof of work that the browser does by itself, or the widget of the tenant's provider, whose script is
 * then the only one from elsewhere. It needs JavaScript, and says so.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Identifier } from '../domain/credentials/identifiers.ts'
import { assertCaptcha, type Captcha, captchaFor, isCaptchaWanted, passesCaptcha } from '../domain/sign-in/captcha.ts'
import type { InteractionEvent } from '../domain/sign-in/draft.ts'
import type { Step } from '../domain/sign-in/draft-profile.ts'
import { type IdentifierType, readIdentifier } from '../domain/sign-in/rules.ts'
import type { ThirdParty } from '../http/html-page.ts'
import { pageScript } from '../http/page-script.ts'
import type { Parameters } from '../http/parameters.ts'
import { type PageContext, stepOf } from './interaction-page.ts'

interface ShownCaptcha {
  /** Within the form, before its button. */
  readonly field: SafeHtml
  readonly thirdParty?: ThirdParty
}

const TURNSTILE = 'https://challenges.cloudflare.com'
const TURNSTILE_SOURCES = { scripts: [TURNSTILE], frames: [TURNSTILE], connections: [TURNSTILE] }

/** As Google documents them for pages with a policy. */
const recaptchaSources = (host: string): ThirdParty => ({
  scripts: [`https://${host}/recaptcha/`, 'https://www.gstatic.com/recaptcha/', 'https://www.gstatic.cn/recaptcha/'],
  frames: [`https://${host}/recaptcha/`, 'https://recaptcha.google.com/recaptcha/'],
  connections: [`https://${host}/recaptcha/`],
})

/** The field that brings the token. */
const HIDDEN = html`<input type="hidden" name="captcha" value="">`

type Provider<T extends Captcha['type']> = Extract<Captcha, { type: T }>

const turnstile = ({ siteKey }: Provider<'Turnstile'>, { language, experience }: PageContext): ShownCaptcha => ({
  field: html`<div class="captcha cf-turnstile" data-sitekey="${siteKey}" data-response-field-name="captcha" data-size="flexible" data-theme="${experience.color.isDarkModeEnabled ? 'auto' : 'light'}" data-language="${language.tag}"></div>
<script src="${TURNSTILE}/turnstile/v0/api.js" async defer></script>`,
  thirdParty: TURNSTILE_SOURCES,
})

const recaptcha = (
  { siteKey, domain = 'www.google.com', mode }: Provider<'RecaptchaEnterprise'>,
  { language }: PageContext,
): ShownCaptcha => {
  const host = domain.startsWith('www.') ? domain : `www.${domain}`
  const script = `https://${host}/recaptcha/enterprise.js?hl=${language.tag}`
  const field =
    mode === 'checkbox'
      ? html`<div class="captcha g-recaptcha" data-sitekey="${siteKey}" data-action="interaction"></div>
<script src="${script}" async defer></script>`
      : html`<div data-recaptcha="${siteKey}">${HIDDEN}</div>
${pageScript('RECAPTCHA')}
<script src="${script}&amp;render=${siteKey}" async defer></script>`
  return { field, thirdParty: recaptchaSources(host) }
}

const proofOfWork = ({ challenge }: Provider<'ProofOfWork'>, { phrases }: PageContext['language']): ShownCaptcha => ({
  field: html`<div class="captcha proof" data-challenge="${JSON.stringify(challenge)}" data-checking="${phrases.captchaChecking}" data-checked="${phrases.captchaChecked}">${HIDDEN}<span role="status"></span></div>
${pageScript('PROOF_OF_WORK')}`,
})

const shown = (captcha: Captcha, context: PageContext): ShownCaptcha => {
  switch (captcha.type) {
    case 'Turnstile':
      return turnstile(captcha, context)
    case 'RecaptchaEnterprise':
      return recaptcha(captcha, context)
    case 'ProofOfWork':
      return proofOfWork(captcha, context.language)
  }
}

/** The identifier that was typed into a form, if one was. */
const typed = (identifier: string, types: readonly IdentifierType[]) =>
  identifier === '' ? undefined : readIdentifier(identifier, types)

const captchaAt = async (
  step: Step,
  context: PageContext,
  identifier: Identifier | undefined,
): Promise<ShownCaptcha> => {
  if (!(await isCaptchaWanted(step, identifier))) return { field: html`` }
  const { field, thirdParty } = shown(await captchaFor(step.work, step.interactionId), context)
  return {
    field: html`<noscript><p class="problem">${context.language.phrases.captchaScript}</p></noscript>
${field}`,
    ...(thirdParty ? { thirdParty } : {}),
  }
}

/**
 * The captcha that a form has to show; nothing where none is wanted.
 * @param identifier as it was typed before
 */
export const captchaOf = async (
  context: PageContext,
  event: InteractionEvent,
  identifier: string,
  types: readonly IdentifierType[],
): Promise<ShownCaptcha> => {
  return captchaAt({ ...stepOf(context, event), isHuman: false }, context, typed(identifier, types))
}

/**
 * The captcha of a form that sends a code in the middle of an interaction: one that was passed before is still valid,
 * and a verified user is not asked for one.
 * @param identifier that the code goes to, if it is known
 */
export const captchaOfSending = async (
  context: PageContext,
  event: InteractionEvent,
  identifier?: Identifier,
): Promise<ShownCaptcha> =>
  context.interaction.state.draft?.identified
    ? { field: html`` }
    : captchaAt(stepOf(context, event), context, identifier)

/** The captcha token of a form. */
const tokenOf = (fields: Parameters): string | undefined =>
  // the box of reCAPTCHA chooses the name of its field
  fields.get('captcha')?.[0] || fields.get('g-recaptcha-response')?.[0]

/** The step of such a submitted form. Throws 422 `session.captcha_failed`, 503 `request.unavailable`. */
export const sendingStep = async (context: PageContext, event: InteractionEvent, fields: Parameters): Promise<Step> => {
  const step = stepOf(context, event)
  return step.isHuman ? step : { ...step, isHuman: await passesCaptcha(step, tokenOf(fields)) }
}

/**
 * The step of a form that was sent, with the captcha that it brings: one is good for one form. Throws 422
 * `session.captcha_required`, `session.captcha_failed`, 503 `request.unavailable`.
 */
export const humanStep = async (
  context: PageContext,
  event: InteractionEvent,
  fields: Parameters,
  identifier: string,
  types: readonly IdentifierType[],
): Promise<Step> => {
  const step = stepOf(context, event)
  const judged = { ...step, isHuman: await passesCaptcha(step, tokenOf(fields)) }
  await assertCaptcha(judged, typed(identifier, types))
  return judged
}
