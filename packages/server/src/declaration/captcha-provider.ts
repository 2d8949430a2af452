/** The captcha provider of a tenant, at most one: null in the file is none. */
import { isDeepStrictEqual } from 'node:util'
import type { CaptchaConfig } from '@countersign/contract/captcha-provider.ts'
import { deleteCaptchaProvider, putCaptchaProvider, readCaptchaProvider } from '../domain/sign-in/captcha-provider.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import type { Journal } from './journal.ts'

const readConfig = async ({ tx, vault, tenant }: Unit): Promise<CaptchaConfig | null> =>
  (await readCaptchaProvider(tx, vault, tenant.id))?.config ?? null

/** The provider as it is exported: with a variable for its secret. */
export const declaredCaptchaProvider = async (unit: Unit): Promise<CaptchaConfig | null> => {
  const config = await readConfig(unit)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes it
  return config && { ...config, secretKey: '${CAPTCHA_SECRET_KEY}' }
}

/** Which fields differ, by name only: one of the values is a secret. */
const differences = (before: CaptchaConfig, after: CaptchaConfig): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isDeepStrictEqual(Reflect.get(before, name), Reflect.get(after, name)))
    .sort()
    .map((name) => `${name} differs`)

export const applyCaptchaProvider = async (
  unit: Unit,
  journal: Journal,
  declared: CaptchaConfig | null,
): Promise<void> => {
  const before = await readConfig(unit)
  if (isDeepStrictEqual(before, declared)) return
  const what = `captcha provider ${(declared ?? before)?.type}`
  if (declared) await putCaptchaProvider.run(unit, declared)
  else await deleteCaptchaProvider.run(unit)
  const verb = before && declared ? 'change' : declared ? 'create' : 'delete'
  journal.changes.push({ verb, what, details: before && declared ? differences(before, declared) : [] })
}
