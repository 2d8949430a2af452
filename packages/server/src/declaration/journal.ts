/** A log of what applying a declaration does: the differences that `--dry-run` prints. */
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../kernel/api-error.ts'
import { asApiError } from '../storage/database-errors.ts'
import { Fault, type Path } from './fault.ts'

export interface Change {
  readonly verb: 'create' | 'change' | 'delete' | 'keep'
  /** `role Clerk` */
  readonly what: string
  readonly details: readonly string[]
}

/** A created application, with its credentials. */
export interface CreatedApplication {
  readonly name: string
  readonly clientId: string
  readonly clientSecret?: string
}

export interface Journal {
  readonly changes: Change[]
  readonly applications: CreatedApplication[]
  readonly prune: boolean
}

/** Runs the changes for a place in the file: what the domain or the database refuses becomes a fault at that place. */
export const at = async <T>(path: Path, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (caught) {
    const error = asApiError(caught)
    if (!(error instanceof ApiError)) throw caught
    const reason = error.data?.reason
    throw new Fault(
      path,
      typeof reason === 'string' && error.code === 'guard.invalid_input' ? reason : error.sentence,
      {
        cause: error,
      },
    )
  }
}

const LONGEST = 60
const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

type Fields = Readonly<Record<string, unknown>>

/** The desired fields that differ from the current ones; a field that is not declared stays as it is. */
export const differing = <T extends Fields>(present: Fields, wanted: T): Partial<T> => {
  const entries = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, present[name]),
  )
  return Object.fromEntries(entries) as Partial<T>
}

/** `name: "a" → "b"` for each. */
export const fromTo = (present: Fields, change: Fields): string[] =>
  Object.entries(change).map(([name, value]) => `${name}: ${shown(present[name])} → ${shown(value)}`)

/** `permissions: + a, - b`, or nothing when the two hold the same. */
export const additionsAndRemovals = (name: string, present: readonly string[], wanted: readonly string[]): string[] => {
  const gains = wanted.filter((each) => !present.includes(each)).map((each) => `+ ${each}`)
  const losses = present.filter((each) => !wanted.includes(each)).map((each) => `- ${each}`)
  return gains.length + losses.length > 0 ? [`${name}: ${[...gains, ...losses].join(', ')}`] : []
}

/** The only one with this name, if there is one. Throws the fault of a name that several have. @param kind in the plural */
export const findByName = <T extends { readonly id: string; readonly name: string }>(
  rows: readonly T[],
  kind: string,
  name: string,
  path: Path,
): T | undefined => {
  const found = rows.filter((row) => row.name === name)
  if (found.length < 2) return found[0]
  const ids = found.map(({ id }) => id).join(', ')
  throw new Fault([...path, 'name'], `${found.length} ${kind} are named ${name} (${ids}): rename all but one`)
}

/** Reports a change of an existing entity, in one entry with earlier changes to it. */
export const reportChange = ({ changes }: Journal, what: string, details: readonly string[]): void => {
  if (details.length === 0) return
  const told = changes.findIndex((each) => each.verb === 'change' && each.what === what)
  const before = changes[told]?.details ?? []
  const change = { verb: 'change', what, details: [...before, ...details] } as const
  if (told < 0) changes.push(change)
  else changes[told] = change
}

/** Throws the fault of the first with the name of an earlier one. */
export const assertDistinct = (path: Path, key: string, names: readonly string[]): void => {
  const seen = new Set<string>()
  for (const [index, name] of names.entries()) {
    if (seen.has(name)) throw new Fault([...path, index, key], `${name} is declared twice`)
    seen.add(name)
  }
}
