/** The texts of mails: a template of the operator where there is one, else ours; their placeholders are filled here. */
import type { LanguageTag } from '../domain/delivery/languages.ts'
import type { Message } from '../domain/delivery/messages.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { type MailLook, mailHtml } from './mail-html.ts'
import { MESSAGE_TEXTS } from './message-texts.ts'
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

/** What placeholders stand for: `host` and `baseUrl` come from the tenant alone (SECURITY R-25). */
export const mailValues = ({ baseUrl }: Tenant, variables: Values): Values => ({
  ...variables,
  baseUrl,
  host: new URL(baseUrl).host,
})

/** Our own mail of a usage, with placeholders: those of it that the message has something for. */
export const ownMail = (
  look: MailLook,
  { usage, variables, language }: MailVariables,
): { readonly subject: string; readonly text: string; readonly html: string } => {
  const texts = MESSAGE_TEXTS[language]
  const { direction, codeLife, codeNote, linkLife, linkFallback, open } = texts
  const { subject, lead, action = open, unasked } = texts.mail[usage]
  const { code, link, minutes } = variables
  const codeLine = minutes ? `${codeLife} ${codeNote}` : codeNote
  const linkLine = minutes ? linkLife : undefined
  const plain = [
    lead,
    ...(code ? ['{{code}}', codeLine] : []),
    ...(link ? ['{{link}}', ...(linkLine ? [linkLine] : [])] : []),
    unasked,
  ]
  const html = mailHtml(look, {
    language,
    direction,
    lead,
    unasked,
    ...(code ? { code: { note: codeLine } } : {}),
    ...(link ? { link: { action, fallback: linkFallback, note: linkLine } } : {}),
  })
  return { subject, text: plain.join('\n\n'), html }
}

/**
 * The mail of a message.
 * @param template of an operator, in whatever language it is; without one the text is ours
 */
export const renderMail = (
  template: MailTemplate | undefined,
  look: MailLook,
  tenant: Tenant,
  message: MailVariables,
): RenderedMail => {
  const values = mailValues(tenant, message.variables)
  const subjectOf = (text: string) => oneLine(fill(text, values, verbatim))
  if (!template) {
    const { subject, text, html } = ownMail(look, message)
    return { subject: subjectOf(subject), text: fill(text, values, verbatim), html: fill(html, values, escapeHtml) }
  }
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
