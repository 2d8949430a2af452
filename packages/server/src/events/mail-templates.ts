/** The texts of mails: a template of the operator where there is one, else ours; their placeholders are filled here. */
import { OWNER_NOTICES, type OwnerNotice } from '@countersign/contract/owner-notices.ts'
import type { Message } from '../domain/delivery/messages.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { LanguageTag } from '../languages/choice.ts'
import { formatsOf } from '../languages/formats.ts'
import { textsIn } from '../languages/texts.ts'
import { type MailLook, mailHtml } from './mail-html.ts'
import { escapeHtml, fill, oneLine, type Values, verbatim } from './placeholders.ts'

export interface RenderedMail {
  readonly subject: string
  readonly text?: string
  readonly html?: string
  /** In the place of what the connector says. */
  readonly replyTo?: string
  readonly senderName?: string
}

/** A mail as an operator writes it. */
export interface MailTemplate {
  readonly subject: string
  readonly content: string
  readonly contentType?: 'text/plain' | 'text/html'
  readonly replyTo?: string
  readonly sendFrom?: string
}

export type MailVariables = Pick<Message, 'usage' | 'variables'> & { readonly language: LanguageTag }

/** A day in words; a text that is none, which an operator gave to a preview, stays. */
const dayIn = (language: LanguageTag, date: string): string => {
  const moment = new Date(date)
  return Number.isNaN(moment.getTime()) ? date : formatsOf(language).day(moment)
}

const isOwnerNotice = (change: string | undefined): change is OwnerNotice =>
  (OWNER_NOTICES as readonly (string | undefined)[]).includes(change)

/**
 * What placeholders stand for: `host` and `baseUrl` come from the tenant alone (SECURITY R-25), `duration` is `minutes` in words of
 * the language, and `date` of a deletion a day in its words.
 */
const mailValues = ({ baseUrl }: Tenant, { usage, variables, language }: MailVariables): Values => ({
  ...variables,
  ...(variables.minutes ? { duration: formatsOf(language).duration(Number(variables.minutes), 'minute') } : {}),
  ...(usage === 'AccountDeletion' && variables.date ? { date: dayIn(language, variables.date) } : {}),
  baseUrl,
  host: new URL(baseUrl).host,
})

/** Names in a text that runs from right to left, isolated so that their direction ends with them (Unicode Standard Annex 9). */
const isolated = ({ host = '', organizationName = '', ...values }: Values): Values => ({
  ...values,
  host: `\u2068${host}\u2069`,
  organizationName: `\u2068${organizationName}\u2069`,
})

/** Our own mail of a usage, with placeholders: those of it that the message has something for. */
const ownMail = async (
  look: MailLook,
  { usage, variables, language: wanted }: MailVariables,
): Promise<Required<Pick<RenderedMail, 'subject' | 'text' | 'html'>> & { readonly language: LanguageTag }> => {
  const { language, messages } = await textsIn(wanted)
  const { direction } = formatsOf(language)
  const { codeLife, codeNote, linkLife, linkFallback, open } = messages
  const { subject, lead: usual, action = open, unasked } = messages.mail[usage]
  const { code, link, minutes, change, details } = variables
  const lead = isOwnerNotice(change) ? messages.changes[change] : usual
  const codeLine = minutes ? `${codeLife} ${codeNote}` : codeNote
  const linkLine = minutes ? linkLife : undefined
  const plain = [
    lead,
    ...(details ? ['{{details}}'] : []),
    ...(code ? ['{{code}}', codeLine] : []),
    ...(link ? ['{{link}}', ...(linkLine ? [linkLine] : [])] : []),
    unasked,
  ]
  const html = mailHtml(look, {
    language,
    direction,
    lead,
    hasDetails: Boolean(details),
    unasked,
    ...(code ? { code: { note: codeLine } } : {}),
    ...(link ? { link: { action, fallback: linkFallback, note: linkLine } } : {}),
  })
  return { subject, text: plain.join('\n\n'), html, language }
}

/**
 * The mail of a message.
 * @param template of an operator, in whatever language it is; without one the text is ours
 */
export const renderMail = async (
  template: MailTemplate | undefined,
  look: MailLook,
  tenant: Tenant,
  message: MailVariables,
): Promise<RenderedMail> => {
  if (!template) {
    const { subject, text, html, language } = await ownMail(look, message)
    const plain = mailValues(tenant, { ...message, language })
    const values = formatsOf(language).direction === 'rtl' ? isolated(plain) : plain
    return {
      subject: oneLine(fill(subject, values, verbatim)),
      text: fill(text, values, verbatim),
      html: fill(html, values, escapeHtml),
    }
  }
  const { change } = message.variables
  const plain = mailValues(tenant, message)
  const values = isOwnerNotice(change)
    ? { ...plain, change: fill((await textsIn(message.language)).messages.changes[change], plain, verbatim) }
    : plain
  const subjectOf = (text: string) => oneLine(fill(text, values, verbatim))
  const { subject, content, contentType, replyTo, sendFrom } = template
  return {
    subject: subjectOf(subject),
    ...(contentType === 'text/html'
      ? { html: fill(content, values, escapeHtml) }
      : { text: fill(content, values, verbatim) }),
    ...(replyTo ? { replyTo: subjectOf(replyTo) } : {}),
    ...(sendFrom ? { senderName: subjectOf(sendFrom) } : {}),
  }
}
