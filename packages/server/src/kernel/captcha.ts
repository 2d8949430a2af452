/** Captcha services of others, as the rules of sign-in ask them; how they are reached is not known here. */
import type { CaptchaConfig } from '@countersign/contract/captcha-provider.ts'

/** What a service said of a token; `unavailable`: nothing that can be understood, or nothing in time. */
export type CaptchaVerdict = 'passed' | 'failed' | 'unavailable'

export interface CaptchaServices {
  /** Asks the provider about a token that a browser brought. @param ip of the browser. Never throws. */
  verify(config: CaptchaConfig, token: string, ip: string | undefined): Promise<CaptchaVerdict>
}

/** Of a process that no one signs in at. */
export const NO_CAPTCHA_SERVICES: CaptchaServices = { verify: async () => 'unavailable' }
