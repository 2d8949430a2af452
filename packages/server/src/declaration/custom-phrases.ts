/** The operator's own phrases, by language. A language that the file names has exactly the phrases of the file. */
import { isDeepStrictEqual } from 'node:util'
import type { CustomPhraseTranslation } from '@countersign/contract/custom-phrases.ts'
import {
  type CustomPhrasesRow,
  checkedPhrases,
  deleteCustomPhrases,
  putCustomPhrases,
} from '../domain/sign-in/custom-phrases.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { Fault, type Path } from './fault.ts'
import { at, type Journal } from './journal.ts'

type Declared = Readonly<Record<string, CustomPhraseTranslation>>

const SECTION = 'customPhrases'

export const readCustomPhrases = ({ tx, tenant }: Unit): Promise<CustomPhrasesRow[]> =>
  tx.selectFrom('custom_phrases').selectAll().where(inTenant(tenant.id)).orderBy('language_tag').execute()

/** The keys that differ, by name only: a text can be long. */
const differences = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !isDeepStrictEqual(Reflect.get(before, key), Reflect.get(after, key)))
    .sort()
    .map((key) => `${key} differs`)

/**
 * Creates and changes phrases; before the settings, which may name a language that only these phrases add to the
 * tenant.
 */
export const applyCustomPhrases = async (unit: Unit, journal: Journal, declared: Declared): Promise<void> => {
  const present = new Map((await readCustomPhrases(unit)).map((row) => [row.language_tag, row.translation]))
  const seen = new Set<string>()
  for (const [tag, given] of Object.entries(declared)) {
    const path: Path = [SECTION, tag]
    const { language, translation } = await at(path, async () => checkedPhrases(tag, given))
    if (seen.has(language)) throw new Fault(path, `${language} is declared twice`)
    seen.add(language)
    const before = present.get(language)
    const details = before ? differences(before, translation) : []
    if (before && details.length === 0) continue
    await at(path, () => putCustomPhrases.run(unit, tag, given))
    journal.changes.push({ verb: before ? 'change' : 'create', what: `phrases in ${language}`, details })
  }
}

/** Deletes what the file does not name, on `--prune`; after the settings, which must no longer name it. */
export const pruneCustomPhrases = async (unit: Unit, journal: Journal, declared: Declared): Promise<void> => {
  if (!journal.prune) return
  const wanted = new Set(Object.entries(declared).map(([tag, given]) => checkedPhrases(tag, given).language))
  for (const { language_tag: language } of await readCustomPhrases(unit)) {
    if (wanted.has(language)) continue
    await at([SECTION], () => deleteCustomPhrases.run(unit, language))
    journal.changes.push({ verb: 'delete', what: `phrases in ${language}`, details: [] })
  }
}
