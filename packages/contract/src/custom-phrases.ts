/** The operator's own words on the pages, by language. Paths and fields are those of the reference. */
import Type, { type Static } from 'typebox'
import { LanguageTag } from './email-templates.ts'
import { routes, WHOLE } from './route.ts'
import { Id } from './schema.ts'

const Text = Type.String({ maxLength: 1024 })

/** Texts by key; some keys have texts by a second key. The keys are those of `GET /.well-known/phrases`. */
export const CustomPhraseTranslation = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.Union([Text, Type.Record(Type.String({ maxLength: 64 }), Text, { maxProperties: 100 })]),
  {
    maxProperties: 1000,
    description: 'Plain text by key, or by two keys. Keys that are left out keep the server’s text; so do empty texts',
    examples: [{ signIn: 'Log in', identifier: { username: 'Member name' } }],
  },
)
export type CustomPhraseTranslation = Static<typeof CustomPhraseTranslation>

const CustomPhrases = Type.Object({
  tenantId: Type.String(),
  id: Id,
  languageTag: LanguageTag,
  translation: CustomPhraseTranslation,
})

const byLanguage = { params: Type.Object({ languageTag: LanguageTag }) }

export const customPhraseRoutes = routes({
  listCustomPhrases: {
    method: 'GET',
    path: '/custom-phrases',
    permission: 'read:sign-in-exp',
    summary: 'List your own phrases in all languages',
    status: 200,
    response: Type.Array(CustomPhrases),
  },
  getCustomPhrases: {
    method: 'GET',
    path: '/custom-phrases/:languageTag',
    permission: 'read:sign-in-exp',
    version: WHOLE,
    summary: 'Get your own phrases in a language',
    ...byLanguage,
    status: 200,
    response: CustomPhrases,
    errors: ['entity.not_exists_with_id'],
  },
  putCustomPhrases: {
    method: 'PUT',
    path: '/custom-phrases/:languageTag',
    permission: 'write:sign-in-exp',
    version: WHOLE,
    summary: 'Store your own phrases in a language, in place of those before',
    description:
      'They replace the server’s phrases key by key, on every node at once. A language that the server does not have is added by them; what is left out is in English there. Placeholders are those of the server’s text; each may be left out. Texts are shown as they are: HTML is refused.',
    ...byLanguage,
    body: CustomPhraseTranslation,
    status: 201,
    response: CustomPhrases,
    errors: ['localization.invalid_translation_structure'],
  },
  deleteCustomPhrases: {
    method: 'DELETE',
    path: '/custom-phrases/:languageTag',
    permission: 'write:sign-in-exp',
    version: WHOLE,
    summary: 'Delete your own phrases in a language',
    ...byLanguage,
    status: 204,
    errors: ['entity.not_exists_with_id', 'localization.cannot_delete_default_language'],
  },
  getPhrases: {
    method: 'GET',
    path: '/.well-known/phrases',
    permission: null,
    summary: 'Get the phrases of the pages in a language',
    description: 'The server’s phrases, with your own in place of them.',
    query: Type.Object({
      lng: Type.Optional(
        Type.String({
          maxLength: 256,
          description:
            'Language tags, best first, separated by spaces; otherwise Accept-Language and the settings decide',
        }),
      ),
    }),
    status: 200,
    response: CustomPhraseTranslation,
  },
})
