/** Mail in the operator's own words, by language and usage. Paths and fields are those of the reference. */
import Type, { type Static } from 'typebox'
import { MESSAGE_USAGES } from './connector-configs.ts'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, OneOf } from './schema.ts'

/** Of a language with or without a region, in any case. */
export const LanguageTag = Type.String({
  minLength: 2,
  maxLength: 16,
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
  description: 'BCP 47',
  examples: ['en', 'pt-BR'],
})
const TemplateType = OneOf(MESSAGE_USAGES, { description: 'What the message is for' })

const LINE = '^[^\\x00-\\x1f\\x7f]*$'
const detailFields = {
  subject: Type.String({ minLength: 1, maxLength: 256, pattern: LINE, description: 'May contain placeholders' }),
  content: Type.String({
    minLength: 1,
    maxLength: 65_536,
    description:
      'May contain placeholders: {{code}}, {{link}}, {{minutes}}, {{duration}}, {{organizationName}}, {{change}}, {{details}}, {{host}}, {{baseUrl}}; in text/html their values are escaped',
  }),
}
const optionalFields = {
  contentType: Type.Optional(OneOf(['text/html', 'text/plain'], { description: 'Default: text/html' })),
  replyTo: Type.Optional(
    Type.String({ maxLength: 320, pattern: LINE, description: 'The Reply-To address, instead of the connector’s' }),
  ),
  sendFrom: Type.Optional(
    Type.String({ maxLength: 128, pattern: LINE, description: 'The name of the sender, instead of the connector’s' }),
  ),
}

export const EmailTemplateDetails = Type.Object({ ...detailFields, ...optionalFields })
export type EmailTemplateDetails = Static<typeof EmailTemplateDetails>

export const EmailTemplateInput = Type.Object({
  languageTag: LanguageTag,
  templateType: TemplateType,
  details: EmailTemplateDetails,
})

const EmailTemplate = Type.Object({
  tenantId: Type.String(),
  id: Type.String(),
  languageTag: LanguageTag,
  templateType: TemplateType,
  details: EmailTemplateDetails,
  createdAt: EpochMilliseconds,
})

const filter = Type.Object({
  languageTag: Type.Optional(Type.String({ minLength: 1, maxLength: 16 })),
  templateType: Type.Optional(TemplateType),
})
const byId = { params: Type.Object({ id: Id }) }

export const emailTemplateRoutes = routes({
  listEmailTemplates: {
    method: 'GET',
    path: '/email-templates',
    permission: 'read:connectors',
    summary: 'List the templates of mails',
    query: filter,
    status: 200,
    response: Type.Array(EmailTemplate),
  },
  replaceEmailTemplates: {
    method: 'PUT',
    path: '/email-templates',
    permission: 'write:connectors',
    summary: 'Store templates of mails, each in place of the one for its language and usage',
    body: Type.Object({ templates: Type.Array(EmailTemplateInput, { minItems: 1, maxItems: 200 }) }),
    status: 200,
    response: Type.Array(EmailTemplate),
  },
  deleteEmailTemplates: {
    method: 'DELETE',
    path: '/email-templates',
    permission: 'write:connectors',
    summary: 'Delete the templates of a language, of a usage, or of both',
    description: 'A request that names neither is refused.',
    query: filter,
    status: 200,
    response: Type.Object({ rowCount: Type.Integer() }),
  },
  getEmailTemplate: {
    method: 'GET',
    path: '/email-templates/:id',
    permission: 'read:connectors',
    summary: 'Get a template of a mail',
    ...byId,
    status: 200,
    response: EmailTemplate,
    errors: ['entity.not_exists_with_id'],
  },
  deleteEmailTemplate: {
    method: 'DELETE',
    path: '/email-templates/:id',
    permission: 'write:connectors',
    summary: 'Delete a template of a mail',
    ...byId,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  updateEmailTemplateDetails: {
    method: 'PATCH',
    path: '/email-templates/:id/details',
    permission: 'write:connectors',
    summary: 'Change a template of a mail; members that are left out stay',
    ...byId,
    body: Type.Partial(EmailTemplateDetails),
    status: 200,
    response: EmailTemplate,
    errors: ['entity.not_exists_with_id'],
  },
  previewEmailTemplate: {
    method: 'POST',
    path: '/email-templates/preview',
    permission: 'read:connectors',
    summary: 'Show a mail with sample values',
    description:
      'Without `details`, the mail is the one that readers of the language get now. Placeholders that no message fills are left empty and named.',
    body: Type.Object({
      templateType: TemplateType,
      languageTag: Type.Optional(LanguageTag),
      details: Type.Optional(EmailTemplateDetails),
      variables: Type.Optional(
        Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 2048 }), {
          maxProperties: 20,
          description: 'Instead of the sample values',
        }),
      ),
    }),
    status: 200,
    response: Type.Object({
      subject: Type.String(),
      text: Type.Optional(Type.String()),
      html: Type.Optional(Type.String()),
      replyTo: Type.Optional(Type.String()),
      sendFrom: Type.Optional(Type.String()),
      unknownVariables: Type.Array(Type.String()),
    }),
  },
})
