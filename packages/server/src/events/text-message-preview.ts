/** Shows a text message with sample values, from a template or the server's own text, and how many messages carry it. */
import type { MessageUsage } from '../domain/delivery/messages.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { chooseLanguage } from '../languages/choice.ts'
import type { Store } from '../storage/store.ts'
import { sampleValues, unknownIn } from './mail-preview.ts'
import { isGsm, renderSms } from './sms-text.ts'

/** Characters of the GSM alphabet that take the place of two. */
const EXTENDED = /[\^{}\\[~\]|€]/g

/** How many messages carry a text: each part of a longer one has a header (3GPP TS 23.040 section 9.2.3.24.1). */
const partsOf = (text: string): number => {
  const [alone, inParts, length] = isGsm(text)
    ? [160, 153, text.length + (text.match(EXTENDED)?.length ?? 0)]
    : [70, 67, text.length]
  return length <= alone ? 1 : Math.ceil(length / inParts)
}

/**
 * The text message for a usage as readers of a language get it.
 * @param content a template; without it the text is the server's own
 */
export const previewTextMessage =
  (store: Store) =>
  async (tenant: Tenant, usage: MessageUsage, languageTag: string | undefined, content: string | undefined) => {
    const experience = await signInExperience(store, tenant)
    const language = chooseLanguage(languageTag ?? experience.languageInfo.fallbackLanguage, undefined, experience)
    const variables = sampleValues(usage, tenant, content === undefined)
    const templates = content === undefined ? [] : [{ usageType: usage, content }]
    const text = await renderSms(templates, tenant, { usage, variables, language })
    const unknownVariables = content === undefined ? [] : unknownIn([content], variables)
    return { text, parts: partsOf(text), isUnicode: !isGsm(text), unknownVariables }
  }
