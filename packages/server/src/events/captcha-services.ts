/**
 * Asks the captcha providers about tokens: Turnstile by `siteverify`, reCAPTCHA Enterprise by an assessment, as each documents it.
 * What a provider says of our keys is a fault of the configuration, not of the person who waits.
 */
import type { CaptchaConfig } from '@countersign/contract/captcha-provider.ts'
import type { CaptchaServices, CaptchaVerdict } from '../kernel/captcha.ts'
import type { OptionValues } from '../kernel/configuration.ts'
import type { Log } from '../kernel/log.ts'
import { type Outbound, type OutboundAnswer, OutboundError, type OutboundRequest } from '../kernel/outbound.ts'
import type { eventOptions } from './options.ts'

type Addresses = Pick<OptionValues<typeof eventOptions>, 'turnstileUrl' | 'recaptchaUrl'>
type ConfigOf<T extends CaptchaConfig['type']> = Extract<CaptchaConfig, { type: T }>

/** A user waits for it. */
const TIMEOUT_MS = 5000
/** Below it reCAPTCHA takes the caller for a program. */
const LEAST_SCORE = 0.5
/** The same for every page: which one it is may change after the token was made. */
const ACTION = 'interaction'
const LONGEST_LOGGED = 300

/** Reads a member of a JSON answer, whatever the answer is. */
const member = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    value,
  )

const jsonOf = ({ body }: OutboundAnswer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const turnstileRequest = (
  url: string,
  { secretKey }: ConfigOf<'Turnstile'>,
  token: string,
  ip: string | undefined,
): OutboundRequest => ({
  url: `${url}siteverify`,
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ secret: secretKey, response: token, ...(ip ? { remoteip: ip } : {}) }).toString(),
})

/** What is wrong with the token; any other error is one of the request or of the service. */
const OF_THE_TOKEN: ReadonlySet<unknown> = new Set(['invalid-input-response', 'timeout-or-duplicate'])

const turnstileVerdict = (answer: unknown): CaptchaVerdict | undefined => {
  if (member(answer, 'success') === true) return 'passed'
  const codes = member(answer, 'error-codes')
  return Array.isArray(codes) && codes.length > 0 && codes.every((code) => OF_THE_TOKEN.has(code))
    ? 'failed'
    : undefined
}

const recaptchaRequest = (
  url: string,
  { projectId, siteKey, secretKey }: ConfigOf<'RecaptchaEnterprise'>,
  token: string,
  ip: string | undefined,
): OutboundRequest => ({
  url: `${url}projects/${encodeURIComponent(projectId)}/assessments`,
  method: 'POST',
  // in the query, as Google also takes it, it would be in logs of proxies
  headers: { 'content-type': 'application/json', 'x-goog-api-key': secretKey },
  body: JSON.stringify({
    event: { token, siteKey, expectedAction: ACTION, ...(ip ? { userIpAddress: ip } : {}) },
  }),
})

/** A key of the kind with a box to check passes every user who checked it; of the other kind the score decides. */
const recaptchaVerdict = (answer: unknown, { mode }: ConfigOf<'RecaptchaEnterprise'>): CaptchaVerdict | undefined => {
  const isValid = member(answer, 'tokenProperties', 'valid')
  if (typeof isValid !== 'boolean') return undefined
  if (!isValid) return 'failed'
  if (mode === 'checkbox') return 'passed'
  const score = member(answer, 'riskAnalysis', 'score')
  return typeof score === 'number' ? (score >= LEAST_SCORE ? 'passed' : 'failed') : undefined
}

/** Makes what asks them. A provider that cannot be asked is logged, without its keys. */
export const createCaptchaServices = (
  { turnstileUrl, recaptchaUrl }: Addresses,
  outbound: Outbound,
  log: Log,
): CaptchaServices => ({
  async verify(config, token, ip) {
    const request =
      config.type === 'Turnstile'
        ? turnstileRequest(turnstileUrl, config, token, ip)
        : recaptchaRequest(recaptchaUrl, config, token, ip)
    try {
      const answer = await outbound.send({ ...request, signal: AbortSignal.timeout(TIMEOUT_MS) })
      const said = jsonOf(answer)
      const verdict = config.type === 'Turnstile' ? turnstileVerdict(said) : recaptchaVerdict(said, config)
      if (answer.status === 200 && verdict) return verdict
      const beginning = answer.body.toString('utf8').replaceAll(config.secretKey, '[hidden]').slice(0, LONGEST_LOGGED)
      throw new OutboundError('protocol', `the answer has the status ${answer.status}: ${beginning}`)
    } catch (error) {
      log.warn({ err: error, provider: config.type }, 'the captcha provider could not be asked; the user is refused')
      return 'unavailable'
    }
  },
})
