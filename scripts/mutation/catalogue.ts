/** All mutants: the file of each, and the name that identifies it across runs. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Change } from './change.ts'
import { mutated } from './instrument.ts'
import { changesOf } from './operators.ts'
import { isSound } from './syntax.ts'

/** The root of the repository; ends with a slash. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SOURCE = 'packages/server/src/'
/** The mutated folders: where requests are decided and tokens are issued. */
export const FOLDERS = ['protocol', 'tokens', 'domain/issued', 'domain/access'] as const

export interface Mutant {
  /** Its index in the catalogue; changes when a file does. */
  readonly id: number
  readonly folder: string
  /** In the repository. */
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly change: Change
  readonly original: string
  /** Digest of the text of the file and of the change in it: stable as long as the file is. */
  readonly key: string
  /** Digest of the changed code: stable while the rest of the file changes. */
  readonly name: string
}

export interface Catalogue {
  readonly mutants: readonly Mutant[]
  /** The text of each file. */
  readonly sources: ReadonlyMap<string, string>
}

/** A short name for a text. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const mutantsOf = (folder: string, path: string, source: string): Omit<Mutant, 'id'>[] => {
  const digest = digestOf(source)
  const alike = new Map<string, number>()
  return changesOf(path, source)
    .filter((change) => isSound(mutated(source, change)))
    .map((change) => {
      const { operator, start, end, replacement } = change
      const original = source.slice(start, end)
      const text = JSON.stringify([path, operator, original, replacement])
      const nth = alike.get(text) ?? 0
      alike.set(text, nth + 1)
      const line = source.slice(0, start).split('\n').length
      const key = digestOf(`${path} ${digest} ${start} ${end} ${replacement}`)
      return { folder, path, line, change, original, key, name: digestOf(`${text} ${nth}`) }
    })
}

/** Reads the sources. Changes after which a file does not parse as TypeScript are not mutants. */
export const readCatalogue = (): Catalogue => {
  const sources = new Map<string, string>()
  const found = FOLDERS.flatMap((folder) =>
    globSync(`${SOURCE}${folder}/**/*.ts`, { cwd: ROOT })
      .toSorted()
      .flatMap((path) => {
        const source = readFileSync(join(ROOT, path), 'utf8')
        sources.set(path, source)
        return mutantsOf(folder, path, source)
      }),
  )
  return { mutants: found.map((mutant, id) => ({ ...mutant, id })), sources }
}
