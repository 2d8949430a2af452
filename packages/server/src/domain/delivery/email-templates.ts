/** The operator's templates of mails, one for each language and usage. */
import type { EmailTemplateDetails, EmailTemplateInput } from '@countersign/contract/email-templates.ts'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { primaryLanguage } from '../../languages/choice.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation } from '../../storage/unit-of-work.ts'
import type { MessageUsage } from './messages.ts'

export type EmailTemplateRow = Selectable<Tables['email_templates']>

export interface EmailTemplateFilter {
  readonly languageTag?: string
  readonly templateType?: MessageUsage
}

const TAG = 'email-templates'

/** The templates of a tenant by language and usage, or those that the filter names. */
export const listEmailTemplates = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  filter: EmailTemplateFilter = {},
): Promise<EmailTemplateRow[]> => {
  let query = database.kysely.selectFrom('email_templates').selectAll().where(inTenant(tenantId))
  if (filter.languageTag !== undefined) query = query.where('language_tag', '=', filter.languageTag)
  if (filter.templateType !== undefined) query = query.where('template_type', '=', filter.templateType)
  return query.orderBy('language_tag').orderBy('template_type').execute()
}

/** Throws 404. */
export const getEmailTemplate = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  id: string,
): Promise<EmailTemplateRow> => {
  const row = await database.kysely
    .selectFrom('email_templates')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('email template', id)
  return row
}

type Input = Static<typeof EmailTemplateInput>

/** Stores templates, replacing those for the same language and usage; if two are for the same, the last one is stored. */
export const replaceEmailTemplates = operation(
  [],
  async (unit, templates: readonly Input[]): Promise<EmailTemplateRow[]> => {
    const { tx, tenant, now, changed } = unit
    const last = new Map(templates.map((each) => [`${each.languageTag} ${each.templateType}`, each]))
    // in a fixed order, so that concurrent calls cannot deadlock
    const ordered = [...last].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
    const rows = await tx
      .insertInto('email_templates')
      .values(
        ordered.map(({ languageTag, templateType, details }) => ({
          tenant_id: tenant.id,
          id: newId(),
          language_tag: languageTag,
          template_type: templateType,
          details: JSON.stringify(details),
          created_at: now,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'language_tag', 'template_type'])
          .doUpdateSet((excluded) => ({ details: excluded.ref('excluded.details') })),
      )
      .returningAll()
      .execute()
    for (const { id, language_tag, template_type } of rows)
      unit.concerns('emailTemplate', id, { after: { name: `${template_type} (${language_tag})` } })
    changed(TAG)
    return rows
  },
)

/** Deletes the templates that the filter names; returns how many. Throws 400 for a filter that names none. */
export const deleteEmailTemplates = operation([], async (unit, filter: EmailTemplateFilter): Promise<number> => {
  const { tx, tenant, changed } = unit
  const { languageTag, templateType } = filter
  if (languageTag === undefined && templateType === undefined)
    throw new ApiError('guard.invalid_input', { reason: 'the query must have languageTag or templateType' })
  let query = tx.deleteFrom('email_templates').where(inTenant(tenant.id))
  if (languageTag !== undefined) query = query.where('language_tag', '=', languageTag)
  if (templateType !== undefined) query = query.where('template_type', '=', templateType)
  const rows = await query.returning('id').execute()
  for (const { id } of rows) unit.concerns('emailTemplate', id)
  changed(TAG)
  return rows.length
})

/** Throws 404. */
export const deleteEmailTemplate = operation([], async ({ tx, tenant, changed }, id: string): Promise<void> => {
  const rows = await tx
    .deleteFrom('email_templates')
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returning('id')
    .execute()
  if (rows.length === 0) throw notFound('email template', id)
  changed(TAG)
})

/** Changes members of a template; those that are left out stay. Throws 404. */
export const updateEmailTemplateDetails = operation(
  [],
  async (unit, id: string, change: Partial<EmailTemplateDetails>): Promise<EmailTemplateRow> => {
    const { tx, tenant, changed } = unit
    const before = await tx
      .selectFrom('email_templates')
      .selectAll()
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('email template', id)
    const details = { ...before.details, ...change }
    const row = await tx
      .updateTable('email_templates')
      .set({ details: JSON.stringify(details) })
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('emailTemplate', id, { before: { ...before.details }, after: { ...details } })
    changed(TAG)
    return row
  },
)

/** Records that a mail was shown; not its text. */
export const emailTemplatePreviewed = operation([], async ({ note }, usage: MessageUsage): Promise<void> => {
  note({ usage })
})

const templatesOf = (store: Store, tenant: Tenant): Promise<EmailTemplateRow[]> =>
  store.cache.get(tenant.id, TAG, async () => ({ value: await listEmailTemplates(store, tenant), tags: [TAG] }))

/**
 * The template that a reader gets for a usage, from the cache: the one in their language, whatever its region, otherwise the one in
 * the tenant's fallback language; undefined if there is neither.
 * @param language BCP 47
 */
export const emailTemplateFor = async (
  store: Store,
  tenant: Tenant,
  usage: MessageUsage,
  language: string,
  fallbackLanguage: string,
): Promise<EmailTemplateDetails | undefined> => {
  const ofUsage = (await templatesOf(store, tenant)).filter(({ template_type }) => template_type === usage)
  const exact = (tag: string) => ofUsage.find(({ language_tag }) => language_tag.toLowerCase() === tag.toLowerCase())
  const near = (tag: string) =>
    ofUsage.find(({ language_tag }) => primaryLanguage(language_tag) === primaryLanguage(tag))
  const found = exact(language) ?? near(language) ?? exact(fallbackLanguage) ?? near(fallbackLanguage)
  return found?.details
}
