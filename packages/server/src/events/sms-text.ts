/** The text of a text message: that of the connector where it has one, else ours. */
import type { Message } from '../domain/delivery/messages.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { MESSAGE_TEXTS } from './message-texts.ts'
import { fill, namesIn, verbatim } from './placeholders.ts'

interface SmsTemplate {
  readonly usageType: string
  readonly content: string
}

/**
 * A text of ours ends with the line by which a browser fills in the code at this host and at no other (the format of
 * origin-bound one-time codes); it takes the code from the last line only.
 */
const boundTo = (host: string, code: string | undefined): string => (code ? `\n\n@${host} #${code}` : '')

/** Of the GSM alphabet (3GPP TS 23.038) without those that count twice. */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/

/** Whether a text needs no Unicode on its way. */
export const isGsm = (text: string): boolean => GSM.test(text)

/** Placeholders are the message's variables, `host` and `baseUrl`, which come from the tenant alone (SECURITY R-25). */
export const renderSms = (
  templates: readonly SmsTemplate[],
  { baseUrl }: Tenant,
  { usage, variables, language = 'en' }: Omit<Message, 'recipient'>,
): string => {
  // a port has no place in the line that a browser reads
  const { host, hostname } = new URL(baseUrl)
  const values = { ...variables, baseUrl, host }
  const template = templates.find(({ usageType }) => usageType === usage)
  if (template) return fill(template.content, values, verbatim)
  const { sms } = MESSAGE_TEXTS[language]
  const isOfCode = namesIn(sms[usage]).includes('code')
  return fill(sms[usage], values, verbatim).trim() + (isOfCode ? boundTo(hostname, variables.code) : '')
}
