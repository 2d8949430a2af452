/** `/email-templates`. */
import { type EmailTemplateDetails, emailTemplateRoutes } from '@countersign/contract/email-templates.ts'
import {
  deleteEmailTemplate,
  deleteEmailTemplates,
  type EmailTemplateRow,
  emailTemplatePreviewed,
  getEmailTemplate,
  listEmailTemplates,
  replaceEmailTemplates,
  updateEmailTemplateDetails,
} from '../domain/delivery/email-templates.ts'
import type { MessageUsage } from '../domain/delivery/messages.ts'
import { bind } from '../http/api.ts'
import type { Tenant } from '../kernel/tenant.ts'

/** Shows a mail with sample values. */
export type PreviewMail = (
  tenant: Tenant,
  usage: MessageUsage,
  languageTag: string | undefined,
  details: EmailTemplateDetails | undefined,
  variables: Readonly<Record<string, string>> | undefined,
) => Promise<{
  readonly subject: string
  readonly text?: string
  readonly html?: string
  readonly replyTo?: string
  readonly senderName?: string
  readonly unknownVariables: string[]
}>

const toTemplate = ({ tenant_id, id, language_tag, template_type, details, created_at }: EmailTemplateRow) => ({
  tenantId: tenant_id,
  id,
  languageTag: language_tag,
  templateType: template_type as MessageUsage,
  details,
  createdAt: created_at.getTime(),
})

/** @param previewMail how a mail is shown */
export const emailTemplateHandlers = (previewMail: PreviewMail) =>
  bind(emailTemplateRoutes, {
    async listEmailTemplates({ query }, { store, tenant }) {
      return (await listEmailTemplates(store, tenant, query)).map(toTemplate)
    },
    async replaceEmailTemplates({ body }, { perform }) {
      return (await perform(replaceEmailTemplates, body.templates)).map(toTemplate)
    },
    async deleteEmailTemplates({ query }, { perform }) {
      return { rowCount: await perform(deleteEmailTemplates, query) }
    },
    async getEmailTemplate({ params }, { store, tenant }) {
      return toTemplate(await getEmailTemplate(store, tenant, params.id))
    },
    async deleteEmailTemplate({ params }, { perform }) {
      await perform(deleteEmailTemplate, params.id)
    },
    async updateEmailTemplateDetails({ params, body }, { perform }) {
      return toTemplate(await perform(updateEmailTemplateDetails, params.id, body))
    },
    async previewEmailTemplate({ body }, { tenant, perform }) {
      const { templateType, languageTag, details, variables } = body
      await perform(emailTemplatePreviewed, templateType)
      const { senderName, ...shown } = await previewMail(tenant, templateType, languageTag, details, variables)
      return { ...shown, ...(senderName === undefined ? {} : { sendFrom: senderName }) }
    },
  })
