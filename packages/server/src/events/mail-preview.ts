/** Shows a mail with sample values, rendered from the operator's template or the server's own text. */
import type { OwnerNotice } from '@countersign/contract/owner-notices.ts'
import { emailTemplateFor } from '../domain/delivery/email-templates.ts'
import type { MessageUsage } from '../domain/delivery/messages.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { chooseLanguage } from '../languages/choice.ts'
import type { Store } from '../storage/store.ts'
import { type MailTemplate, type RenderedMail, renderMail } from './mail-templates.ts'
import { namesIn, type Values } from './placeholders.ts'

/** The placeholders that messages can fill. */
const VARIABLES = [
  'code',
  'link',
  'minutes',
  'duration',
  'organizationName',
  'date',
  'change',
  'details',
  'host',
  'baseUrl',
]

const LINKED: ReadonlySet<MessageUsage> = new Set([
  'MagicLink',
  'BackchannelAuthentication',
  'OrganizationInvitation',
  'AccountDeletion',
  'AccountChanged',
  'NewSignIn',
])

/** What happened, in a message about a change. */
const CHANGES: Readonly<Partial<Record<MessageUsage, OwnerNotice>>> = {
  AccountChanged: 'passwordChanged',
  NewSignIn: 'newSignIn',
}

/** Whose link or code is valid for other than minutes. */
const UNTIMED: ReadonlySet<MessageUsage> = new Set([
  'OrganizationInvitation',
  'AccountDeletion',
  'AccountChanged',
  'NewSignIn',
])

/** What a message of the usage could say. @param isOwnText whether in the server's words, which leave out what is not there */
export const sampleValues = (usage: MessageUsage, { baseUrl }: Tenant, isOwnText: boolean): Values => ({
  ...(LINKED.has(usage) && isOwnText ? {} : { code: '123456' }),
  ...(LINKED.has(usage) || !isOwnText ? { link: `${baseUrl}/sample-link` } : {}),
  ...(UNTIMED.has(usage) && isOwnText ? {} : { minutes: '10' }),
  ...(usage === 'AccountDeletion' || !isOwnText ? { date: '2030-01-31' } : {}),
  ...(CHANGES[usage] ? { change: CHANGES[usage], details: '2026-01-31 12:00 UTC, Berlin, DE, 192.0.2.1' } : {}),
  organizationName: 'Example',
})

/** The placeholders in texts of a template that no message fills. */
export const unknownIn = (texts: readonly string[], values: Values): string[] =>
  namesIn(texts.join(' ')).filter((name) => !VARIABLES.includes(name) && !Object.hasOwn(values, name))

const textsOf = ({ subject, content, replyTo = '', sendFrom = '' }: MailTemplate) => [
  subject,
  content,
  replyTo,
  sendFrom,
]

/**
 * The mail for a usage as readers of a language get it.
 * @param details a template to show instead of the stored one
 * @param variables instead of sample values
 */
export const previewMail =
  (store: Store) =>
  async (
    tenant: Tenant,
    usage: MessageUsage,
    languageTag: string | undefined,
    details: MailTemplate | undefined,
    variables: Values = {},
  ): Promise<RenderedMail & { readonly unknownVariables: string[] }> => {
    const experience = await signInExperience(store, tenant)
    const { languageInfo } = experience
    const wanted = languageTag ?? languageInfo.fallbackLanguage
    const stored = details ?? (await emailTemplateFor(store, tenant, usage, wanted, languageInfo.fallbackLanguage))
    const template = stored && { ...stored, contentType: stored.contentType ?? 'text/html' }
    const values = { ...sampleValues(usage, tenant, !template), ...variables }
    const language = chooseLanguage(wanted, undefined, experience)
    const rendered = await renderMail(template, experience, tenant, { usage, variables: values, language })
    return { ...rendered, unknownVariables: template ? unknownIn(textsOf(template), values) : [] }
  }
