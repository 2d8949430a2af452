/** The text of a text message: the connector's template if it has one, otherwise the server's own. */
import type { Message } from '../domain/delivery/messages.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { textsIn } from '../languages/texts.ts'
import { fill, namesIn, verbatim } from './placeholders.ts'

interface SmsTemplate {
  readonly usageType: string
  readonly content: string
}

/** Owners of accounts are told of changes by mail. */
const isMailOnly = (usage: Message['usage']): usage is 'AccountChanged' | 'NewSignIn' =>
  usage === 'AccountChanged' || usage === 'NewSignIn'

/**
 * The server's texts end with the line from which a browser fills in the code on this host and no other (origin-bound one-time
 * codes, the format of WebOTP).
 */
const boundTo = (host: string, code: string | undefined): string => (code ? `\n\n@${host} #${code}` : '')

/** The GSM alphabet with its extension (3GPP TS 23.038). */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/

/** Whether a text can be sent without Unicode, in messages of 160 characters. */
export const isGsm = (text: string): boolean => GSM.test(text)

/** Placeholders are the message's variables, `host` and `baseUrl`, which come from the tenant alone (SECURITY R-25). */
export const renderSms = async (
  templates: readonly SmsTemplate[],
  { baseUrl }: Tenant,
  { usage, variables, language = 'en' }: Omit<Message, 'recipient'>,
): Promise<string> => {
  // the line that browsers read has no port
  const { host, hostname } = new URL(baseUrl)
  const values = { ...variables, baseUrl, host }
  const template = templates.find(({ usageType }) => usageType === usage)
  if (template) return fill(template.content, values, verbatim)
  const { sms } = (await textsIn(language)).messages
  const text = isMailOnly(usage) ? sms.Generic : sms[usage]
  const isOfCode = namesIn(text).includes('code')
  return fill(text, values, verbatim).trim() + (isOfCode ? boundTo(hostname, variables.code) : '')
}
