/**
 * Values that are secrets, under names that are not: headers of hooks, variables of scripts. An exported file has the
 * names with null for each value; when applied, null keeps the stored value.
 */
import { Fault, type Path } from './fault.ts'
import { additionsAndRemovals } from './journal.ts'

type Values = Readonly<Record<string, string>>
type Withheld = Readonly<Record<string, string | null>>

/** The declared values, with the stored ones in place of null. Throws the fault of one that is not stored. */
export const completed = (declared: Withheld, stored: Values, path: Path): Record<string, string> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, value]) => {
      const known = value ?? (Object.hasOwn(stored, name) ? stored[name] : undefined)
      if (known === undefined) throw new Fault([...path, name], `${name} has no value here, and none is stored`)
      return [name, known]
    }),
  )

/** What differs, by name only. */
export const differences = (what: string, present: Values, wanted: Values): string[] => [
  ...additionsAndRemovals(what, Object.keys(present).sort(), Object.keys(wanted).sort()),
  ...Object.keys(wanted)
    .filter((name) => Object.hasOwn(present, name) && present[name] !== wanted[name])
    .sort()
    .map((name) => `${what}.${name} differs`),
]

/** The names, as a file has them. */
export const withheld = (values: Values): Record<string, null> =>
  Object.fromEntries(
    Object.keys(values)
      .sort()
      .map((name) => [name, null]),
  )
