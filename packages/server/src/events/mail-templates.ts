/**
 * The texts of messages: the connector's template if it has one, otherwise the server's own; their placeholders are
 * filled here.
 */
import type { SmtpSettings } from '@countersign/contract/connector-configs.ts'
import type { LanguageTag } from '../domain/delivery/languages.ts'
import type { Message } from '../domain/delivery/messages.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { MAIL_PHRASES, type MailPhrases } from './mail-phrases.ts'

export interface RenderedMail {
  readonly subject: string
  readonly text?: string
  readonly html?: string
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
/** A subject and an address are one line: a line break in them would start another header. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

type Variables = Readonly<Record<string, string>>

/** Fills `{{name}}` once: values are plain text, whatever they look like. Unknown names become empty. */
const fill = (template: string, variables: Variables, asText: (value: string) => string): string =>
  template.replace(/\{\{\s*([\w.]{1,64})\s*\}\}/g, (_, name: string) =>
    Object.hasOwn(variables, name) ? asText(variables[name] ?? '') : '',
  )

const same = (value: string) => value

/** The note below a code. */
const noteOf = ({ codeLife, codeNote }: MailPhrases, { minutes }: Variables): string =>
  minutes ? `${codeLife} ${codeNote}` : codeNote

const ownPlain = (lead: string, phrases: MailPhrases, all: Variables): string =>
  [
    lead,
    ...(all.code ? ['{{code}}', noteOf(phrases, all)] : []),
    ...(all.link ? ['{{link}}'] : []),
    phrases.ignore,
  ].join('\n\n')

const ownHtml = (lead: string, phrases: MailPhrases, language: LanguageTag, all: Variables): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<p>${lead}</p>
${all.code ? `<p style="font-size:32px;font-weight:600;letter-spacing:4px;margin:24px 0">{{code}}</p>\n<p>${noteOf(phrases, all)}</p>` : ''}
${all.link ? '<p><a href="{{link}}">{{link}}</a></p>' : ''}
<p style="opacity:.7;font-size:14px">${phrases.ignore}</p>
</body>
</html>
`

/**
 * The text of a message. Placeholders are the message's variables, and `host` and `baseUrl`, which come from the tenant
 * alone (SECURITY R-25). A connector's template is used as it is, whatever the language.
 */
export const renderMail = (
  { templates = [] }: Pick<SmtpSettings, 'templates'>,
  { baseUrl }: Tenant,
  { usage, variables, language = 'en' }: Omit<Message, 'recipient'>,
): RenderedMail => {
  const all = { ...variables, baseUrl, host: new URL(baseUrl).host }
  const phrases = MAIL_PHRASES[language]
  const own = phrases.usages[usage]
  const template = templates.find(({ usageType }) => usageType === usage)
  const subject = oneLine(fill(template?.subject ?? own.subject, all, same))
  if (!template) {
    const text = fill(ownPlain(own.lead, phrases, all), all, same)
    return { subject, text, html: fill(ownHtml(own.lead, phrases, language, all), all, escapeHtml) }
  }
  return template.contentType === 'text/html'
    ? { subject, html: fill(template.content, all, escapeHtml) }
    : { subject, text: fill(template.content, all, same) }
}
