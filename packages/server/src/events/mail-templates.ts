/** The texts of messages: those of the connector where it has one, else ours; their placeholders are filled here. */
import type { MailConfig } from '../domain/connectors.ts'
import type { Message, MessageUsage } from '../domain/messages.ts'
import type { Tenant } from '../kernel/tenant.ts'

export interface RenderedMail {
  readonly subject: string
  readonly text?: string
  readonly html?: string
}

interface OwnText {
  readonly subject: string
  /** What the code or the link is for. */
  readonly lead: string
}

const OWN: Readonly<Record<MessageUsage, OwnText>> = {
  SignIn: { subject: 'Your sign-in code: {{code}}', lead: 'Use this code to sign in to {{host}}.' },
  Register: { subject: 'Your code to register: {{code}}', lead: 'Use this code to create your account at {{host}}.' },
  ForgotPassword: {
    subject: 'Your code to set a new password: {{code}}',
    lead: 'Use this code to set a new password at {{host}}.',
  },
  Generic: { subject: 'Your verification code: {{code}}', lead: 'Use this code at {{host}}.' },
  OrganizationInvitation: {
    subject: 'You are invited',
    lead: 'You are invited to join {{organizationName}} at {{host}}.',
  },
}

const CODE_NOTE = 'It is valid for 10 minutes. Nobody from us will ever ask you for it.'
const IGNORE = 'If you did not expect this message, you can ignore it.'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
/** A subject and an address are one line: a line break in them would begin a header of its own. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

type Variables = Readonly<Record<string, string>>

/** Fills `{{name}}` once: what a value holds is text, whatever it looks like. Unknown names become nothing. */
const fill = (template: string, variables: Variables, asText: (value: string) => string): string =>
  template.replace(/\{\{\s*([\w.]{1,64})\s*\}\}/g, (_, name: string) =>
    Object.hasOwn(variables, name) ? asText(variables[name] ?? '') : '',
  )

const same = (value: string) => value

const ownPlain = (lead: string, { code, link }: Variables): string =>
  [lead, ...(code ? ['{{code}}', CODE_NOTE] : []), ...(link ? ['{{link}}'] : []), IGNORE].join('\n\n')

const ownHtml = (lead: string, { code, link }: Variables): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<p>${lead}</p>
${code ? `<p style="font-size:32px;font-weight:600;letter-spacing:4px;margin:24px 0">{{code}}</p>\n<p>${CODE_NOTE}</p>` : ''}
${link ? '<p><a href="{{link}}">{{link}}</a></p>' : ''}
<p style="opacity:.7;font-size:14px">${IGNORE}</p>
</body>
</html>
`

/**
 * The text of a message. Placeholders are the message's variables, and `host` and `baseUrl`, which come from the tenant
 * alone (SECURITY R-25).
 */
export const renderMail = (
  { templates = [] }: MailConfig,
  { baseUrl }: Tenant,
  { usage, variables }: Omit<Message, 'recipient'>,
): RenderedMail => {
  const all = { ...variables, baseUrl, host: new URL(baseUrl).host }
  const template = templates.find(({ usageType }) => usageType === usage)
  const subject = oneLine(fill(template?.subject ?? OWN[usage].subject, all, same))
  if (!template) {
    const { lead } = OWN[usage]
    return { subject, text: fill(ownPlain(lead, all), all, same), html: fill(ownHtml(lead, all), all, escapeHtml) }
  }
  return template.contentType === 'text/html'
    ? { subject, html: fill(template.content, all, escapeHtml) }
    : { subject, text: fill(template.content, all, same) }
}
