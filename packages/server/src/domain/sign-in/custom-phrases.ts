/** The operator's own phrases, and the phrases that a reader gets: those over the server's. */
import type { Selectable } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { builtInLanguage, type LanguageTag, primaryLanguage } from '../../languages/choice.ts'
import { phrases as english, type Phrases } from '../../languages/en.ts'
import { textsIn } from '../../languages/texts.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { CUSTOM_PHRASES_TAG, overDefaults, type SignInExperience } from './experience.ts'

export type CustomPhrasesRow = Selectable<Tables['custom_phrases']>
type Translation = CustomPhrasesRow['translation']

/** The tag in its canonical form, such as `pt-BR`. Throws 400 for what is no language tag. */
const canonical = (tag: string): LanguageTag => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag
  } catch {
    throw new ApiError('guard.invalid_input', { reason: `${tag} is not a language tag (BCP 47)` })
  }
}

export const listCustomPhrases = ({ database }: Store, { id: tenantId }: Tenant): Promise<CustomPhrasesRow[]> =>
  database.kysely.selectFrom('custom_phrases').selectAll().where(inTenant(tenantId)).orderBy('language_tag').execute()

/** Throws 404. */
export const getCustomPhrases = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  tag: string,
): Promise<CustomPhrasesRow> => {
  const row = await database.kysely
    .selectFrom('custom_phrases')
    .selectAll()
    .where(inTenant(tenantId))
    .where('language_tag', '=', canonical(tag))
    .executeTakeFirst()
  if (!row) throw notFound('custom phrases', tag)
  return row
}

const placeholdersIn = (text: string): string[] => text.match(/\{\w+\}/g) ?? []

/** Throws 400 for a text that would not be shown as it was meant. */
const assertText = (key: string, text: string, original: string): void => {
  const refuse = (reason: string) => new ApiError('localization.invalid_translation_structure', { key, reason })
  const known = placeholdersIn(original)
  const unknown = placeholdersIn(text).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw refuse(`it has no placeholder ${unknown}${known.length > 0 ? `, only ${known.join(', ')}` : ''}`)
  if (/<[a-z!/]/i.test(text)) throw refuse('HTML is not interpreted')
  if (/\p{Cc}/u.test(text)) throw refuse('it contains control characters')
}

/** Without empty texts. Throws 400 for a key that the server does not have. */
const checked = (given: Translation, originals: object, path = ''): Translation => {
  const known = new Map<string, unknown>(Object.entries(originals))
  const entries = Object.entries(given).flatMap(([name, value]): [string, Translation[string]][] => {
    const key = path + name
    const original = known.get(name)
    if (typeof original === 'string' && typeof value === 'string') {
      assertText(key, value, original)
      return value.trim() === '' ? [] : [[name, value]]
    }
    if (typeof original !== 'object' || original === null || typeof value === 'string')
      throw new ApiError('localization.invalid_translation_structure', {
        key,
        reason: known.has(name)
          ? 'it is a text where the server has texts by key, or the reverse'
          : 'there is no such key',
      })
    // the originals have two levels, so that what is below them is texts
    const texts = checked(value, original, `${key}.`) as Readonly<Record<string, string>>
    return Object.keys(texts).length === 0 ? [] : [[name, texts]]
  })
  return Object.fromEntries(entries)
}

/** Phrases as they are stored: the tag in its canonical form, no empty texts. Throws 400, as putCustomPhrases does. */
export const checkedPhrases = (
  tag: string,
  given: Translation,
): { readonly language: LanguageTag; readonly translation: Translation } => ({
  language: canonical(tag),
  translation: checked(given, english),
})

/** Stores phrases in place of those before. Throws 400 for a key that the server does not have, and for what is not plain text. */
export const putCustomPhrases = operation(
  [],
  async (unit, tag: string, given: Translation): Promise<CustomPhrasesRow> => {
    const { tx, tenant, changed } = unit
    const { language: language_tag, translation: phrases } = checkedPhrases(tag, given)
    const translation = JSON.stringify(phrases)
    const row = await tx
      .insertInto('custom_phrases')
      .values({ tenant_id: tenant.id, id: newId(), language_tag, translation })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'language_tag'])
          .doUpdateSet((excluded) => ({ translation: excluded.ref('excluded.translation') })),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('customPhrases', row.id, { after: { name: language_tag, translation: row.translation } })
    changed(CUSTOM_PHRASES_TAG)
    return row
  },
)

/** Throws 404, and 409 for those of the fallback language if the server has no texts in it. */
export const deleteCustomPhrases = operation([], async (unit, tag: string): Promise<void> => {
  const { tx, tenant, changed } = unit
  const language = canonical(tag)
  const row = await tx
    .deleteFrom('custom_phrases')
    .where(inTenant(tenant.id))
    .where('language_tag', '=', language)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw notFound('custom phrases', tag)
  const settings = await tx
    .selectFrom('sign_in_experiences')
    .select('settings')
    .where(inTenant(tenant.id))
    .executeTakeFirst()
  const { fallbackLanguage } = overDefaults(settings?.settings ?? {}).languageInfo
  if (!builtInLanguage(language) && canonical(fallbackLanguage) === language)
    throw new ApiError('localization.cannot_delete_default_language')
  unit.concerns('customPhrases', row.id)
  changed(CUSTOM_PHRASES_TAG)
})

/** The texts of both, those of the second in place of those of the first. */
const over = <T extends object>(below: T, above: object | undefined): T => {
  const own = new Map<string, unknown>(Object.entries(above ?? {}))
  const entries = Object.entries(below).map(([name, value]) => {
    const replacing = own.get(name)
    if (typeof value !== 'string') return [name, over(value, replacing as object | undefined)]
    return [name, typeof replacing === 'string' ? replacing : value]
  })
  return Object.fromEntries(entries) as T
}

/**
 * The phrases that readers of a language get, from the cache: the server's in that language, or else in English; over them the
 * operator's in the language without its region, and in exactly this one.
 * @param tag as chooseLanguage returned it for these settings
 */
export const phrasesIn = async (
  store: Store,
  { id: tenantId }: Tenant,
  { customLanguages }: Pick<SignInExperience, 'customLanguages'>,
  tag: LanguageTag,
): Promise<Phrases> => {
  const { phrases } = await textsIn(tag)
  const tags = [primaryLanguage(tag), tag].filter(
    (each, index, all) => customLanguages.includes(each) && all.indexOf(each) === index,
  )
  if (tags.length === 0) return phrases
  return store.cache.get(tenantId, `phrases ${tag}`, async () => {
    const rows = await store.database.configuration
      .selectFrom('custom_phrases')
      .select(['language_tag', 'translation'])
      .where(inTenant(tenantId))
      .where('language_tag', 'in', tags)
      .execute()
    const inOrder = tags.map((each) => rows.find(({ language_tag }) => language_tag === each)?.translation)
    return { value: inOrder.reduce(over<Phrases>, phrases), tags: [CUSTOM_PHRASES_TAG] }
  })
}
