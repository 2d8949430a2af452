/**
 * Captchas: where a sign-in, a registration or the sending of a code needs one (`captchaPolicy`), and whether one that a browser
 * brings is good. Each is used up by one statement, also those of a provider.
 */
import type { CaptchaConfig } from '@countersign/contract/captcha-provider.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Work } from '../../storage/unit-of-work.ts'
import { countedFailures } from '../credentials/address-failures.ts'
import type { Identifier } from '../credentials/identifiers.ts'
import { failuresOf } from '../credentials/lockout.ts'
import { captchaConfig } from './captcha-provider.ts'
import type { SignInExperience } from './experience.ts'
import { newChallenge, solved } from './proof-of-work.ts'
import { comparedBy } from './rules.ts'

/** Where a captcha is brought or wanted: a step of an interaction. */
interface Checked {
  readonly work: Work
  readonly interactionId: string
  readonly experience: SignInExperience
  /** Whether one was passed already. */
  readonly isHuman: boolean
}

/** How long a token of a provider is remembered: longer than any is good for (Turnstile: 5 minutes, reCAPTCHA: 2). */
const TOKEN_SECONDS = 900

/** What a page shows to have a captcha passed: the public part of the provider, or a challenge to be solved. */
export type Captcha =
  | Omit<Extract<CaptchaConfig, { type: 'Turnstile' }>, 'secretKey'>
  | Omit<Extract<CaptchaConfig, { type: 'RecaptchaEnterprise' }>, 'secretKey' | 'projectId'>
  | { readonly type: 'ProofOfWork'; readonly challenge: Awaited<ReturnType<typeof newChallenge>> }

/** What of the tenant's provider anyone may know; undefined if browsers do a proof of work. */
export const publicCaptcha = async ({ store, tenant }: Pick<Work, 'store' | 'tenant'>) => {
  const config = await captchaConfig(store, tenant)
  if (!config) return undefined
  if (config.type === 'Turnstile') return { type: config.type, siteKey: config.siteKey }
  const { secretKey: _secret, projectId: _project, ...shown } = config
  return shown
}

/** What the browser of an interaction is shown. */
export const captchaFor = async (work: Work, interactionId: string): Promise<Captcha> =>
  (await publicCaptcha(work)) ?? { type: 'ProofOfWork', challenge: await newChallenge(work, interactionId) }

/** Uses a captcha up; whether this call was the first to do so. */
const useUp = async ({ store, tenant }: Work, captcha: string, expiresAt: Date): Promise<boolean> => {
  const { rowCount } = await store.database.pool.query({
    name: 'use-captcha',
    text: 'INSERT INTO used_captchas (tenant_id, hash, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING hash',
    values: [tenant.id, hashSecret(captcha), expiresAt],
  })
  return rowCount === 1
}

const isPassed = async (work: Work, interactionId: string, token: string): Promise<boolean> => {
  const { store, tenant, caller } = work
  const { captchaChecks } = store.metrics
  const config = await captchaConfig(store, tenant)
  const count = (result: 'passed' | 'failed' | 'unavailable') =>
    captchaChecks.inc({ provider: config?.type ?? 'ProofOfWork', result })
  if (!config) {
    const solution = await solved(work, interactionId, token)
    const isGood = solution !== undefined && (await useUp(work, solution.challenge, solution.expiresAt))
    count(isGood ? 'passed' : 'failed')
    return isGood
  }
  if (!(await useUp(work, token, secondsAfter(store.clock.now(), TOKEN_SECONDS)))) {
    count('failed')
    return false
  }
  const verdict = await store.captchaServices.verify(config, token, caller.ip)
  count(verdict)
  if (verdict === 'unavailable') throw new ApiError('request.unavailable')
  return verdict === 'passed'
}

/**
 * Judges the captcha that a request brings; whether it brought one. Where the policy wants none, nothing is asked. Throws 422
 * `session.captcha_failed`, also for one that was used before, 503 `request.unavailable` when the provider cannot be asked.
 */
export const passesCaptcha = async (
  { work, interactionId, experience }: Checked,
  token: string | undefined,
): Promise<boolean> => {
  if (!experience.captchaPolicy.enabled || !token) return false
  if (!(await isPassed(work, interactionId, token))) throw new ApiError('session.captcha_failed')
  return true
}

/**
 * Whether a captcha has to be passed now: always, or once as many attempts have failed as the policy says, from the address of
 * the caller or for the identifier. @param identifier that is about to be used, whether or not an account has it
 */
export const isCaptchaWanted = async (
  { work, experience, isHuman }: Checked,
  identifier: Identifier | undefined,
): Promise<boolean> => {
  const { enabled, afterFailures } = experience.captchaPolicy
  if (!enabled || isHuman) return false
  if (afterFailures === 0 || countedFailures(work) >= afterFailures) return true
  if (identifier === undefined) return false
  const { store, tenant } = work
  return (await failuresOf(store.database.kysely, tenant.id, comparedBy(experience, identifier))) >= afterFailures
}

/** Throws 422 `session.captcha_required` where isCaptchaWanted. */
export const assertCaptcha = async (step: Checked, identifier?: Identifier): Promise<void> => {
  if (await isCaptchaWanted(step, identifier)) throw new ApiError('session.captcha_required')
}
