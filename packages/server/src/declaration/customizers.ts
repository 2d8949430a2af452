/** The custom claims scripts, one for each kind of token. */
import { isDeepStrictEqual } from 'node:util'
import type { Declaration, DeclaredCustomizer } from '@countersign/contract/declaration.ts'
import { CUSTOMIZED_TOKENS, type CustomizedToken } from '@countersign/contract/jwt-customizer.ts'
import {
  type Customizer,
  deleteCustomizer,
  putCustomizer,
  readCustomizers,
  updateCustomizer,
} from '../domain/issued/jwt-customizers.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { Fault, type Path } from './fault.ts'
import { at, differing, fromTo, type Journal } from './journal.ts'
import { completed, differences } from './withheld.ts'

/** Why a script cannot produce claims; undefined if it can. */
export type RefuseScript = (script: string) => Promise<string | undefined>

const assertScript = async (refuse: RefuseScript, script: string, path: Path): Promise<void> => {
  const reason = await refuse(script)
  if (reason !== undefined) throw new Fault([...path, 'script'], `the script cannot run: ${reason}`)
}

/** The fields that differ, and how they are reported: multi-line texts by name only. */
const differenceOf = (declared: DeclaredCustomizer, before: Customizer, path: Path) => {
  const stored = before.environmentVariables ?? {}
  const variables =
    declared.environmentVariables && completed(declared.environmentVariables, stored, [...path, 'environmentVariables'])
  const { blockIssuanceOnError, cpuLimit, script, contextSample, tokenSample } = declared
  const large = differing({ ...before }, { script, contextSample, tokenSample })
  const small = differing({ ...before }, { blockIssuanceOnError, cpuLimit })
  const isSame = variables === undefined || isDeepStrictEqual(variables, { ...stored })
  return {
    change: { ...large, ...small, ...(isSame ? {} : { environmentVariables: variables }) },
    details: [
      ...Object.keys(large).map((name) => `${name} differs`),
      ...(isSame ? [] : differences('environmentVariables', stored, variables)),
      ...fromTo({ ...before }, small),
    ],
  }
}

const applyOne = async (
  unit: Unit,
  journal: Journal,
  refuse: RefuseScript,
  declared: DeclaredCustomizer,
  before: Customizer | undefined,
  tokenType: CustomizedToken,
): Promise<void> => {
  const path = ['jwtCustomizers', tokenType]
  const what = `custom claims of ${tokenType}`
  if (!before) {
    const { environmentVariables: variables, ...fields } = declared
    const complete = variables && completed(variables, {}, [...path, 'environmentVariables'])
    await assertScript(refuse, declared.script, path)
    const input = { ...fields, ...(complete ? { environmentVariables: complete } : {}) }
    await at(path, () => putCustomizer.run(unit, tokenType, input))
    journal.changes.push({ verb: 'create', what, details: [] })
    return
  }
  const { change, details } = differenceOf(declared, before, path)
  if (details.length === 0) return
  if (change.script !== undefined) await assertScript(refuse, change.script, path)
  await at(path, () => updateCustomizer.run(unit, tokenType, change))
  journal.changes.push({ verb: 'change', what, details })
}

/** @param refuse checks a script before it is stored, because with one that cannot run every token would be refused */
export const applyCustomizers = async (
  unit: Unit,
  journal: Journal,
  declared: NonNullable<Declaration['jwtCustomizers']>,
  refuse: RefuseScript,
): Promise<void> => {
  const present = await readCustomizers(unit.tx, unit.vault, unit.tenant)
  for (const tokenType of CUSTOMIZED_TOKENS) {
    const wanted = declared[tokenType]
    const before = present.find((each) => each.tokenType === tokenType)
    if (wanted) await applyOne(unit, journal, refuse, wanted, before, tokenType)
    if (wanted || !before || !journal.prune) continue
    await deleteCustomizer.run(unit, tokenType)
    journal.changes.push({ verb: 'delete', what: `custom claims of ${tokenType}`, details: [] })
  }
}
