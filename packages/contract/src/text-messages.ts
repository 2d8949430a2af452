/** Text messages (SMS) as their readers get them. Their templates are part of the connector that sends them. */
import Type from 'typebox'
import { MESSAGE_USAGES } from './connector-configs.ts'
import { LanguageTag } from './email-templates.ts'
import { routes } from './route.ts'
import { OneOf } from './schema.ts'

export const textMessageRoutes = routes({
  previewTextMessage: {
    method: 'GET',
    path: '/text-messages/preview',
    permission: 'read:connectors',
    summary: 'Show a text message with sample values',
    description:
      'Without `content`, the text is the server’s own in that language; templates of the connector have one text for all languages. Placeholders that no message fills are left empty and named.',
    query: Type.Object({
      usageType: OneOf(MESSAGE_USAGES, { description: 'What the message is for' }),
      languageTag: Type.Optional(LanguageTag),
      content: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1600, description: 'A template; may contain placeholders' }),
      ),
    }),
    status: 200,
    response: Type.Object({
      text: Type.String(),
      parts: Type.Integer({
        description: 'How many messages it is sent as: one holds 160 characters of the GSM alphabet, or 70 of Unicode',
      }),
      isUnicode: Type.Boolean({ description: 'Whether it has characters that the GSM alphabet lacks' }),
      unknownVariables: Type.Array(Type.String()),
    }),
  },
})
