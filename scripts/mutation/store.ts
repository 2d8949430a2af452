/** Results of earlier runs, in files that git ignores, so that a run can be stopped and continued. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './catalogue.ts'

export type Verdict = 'killed' | 'timed out' | 'survived' | 'not covered'

export interface Result {
  readonly verdict: Verdict
  /** The test file and the test that failed. */
  readonly by?: string
  /** The test files that it has survived. */
  readonly passed?: readonly string[]
  /** The number of test files that reach it. */
  readonly reaching?: number
}

/** What a test file reaches of a source file. */
export interface Reached {
  /** Digest of the source file when this was recorded. */
  readonly digest: string
  /** Names of mutants; those of `loading` are reached while modules are loaded, as with every test file. */
  readonly names: readonly string[]
  readonly loading: readonly string[]
}

/** What a test file reaches, by the path of the source file. */
export interface Coverage {
  /** Digest of the test file. */
  readonly digest: string
  readonly reached: Readonly<Record<string, Reached>>
}

const FOLDER = join(ROOT, 'node_modules/.cache/mutation')

const read = <T>(name: string): Record<string, T> => {
  const file = join(FOLDER, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Writes atomically: if the process ends meanwhile, the old content remains. */
const write = (name: string, content: Record<string, unknown>): void => {
  mkdirSync(FOLDER, { recursive: true })
  const file = join(FOLDER, name)
  writeFileSync(`${file}.new`, JSON.stringify(content))
  renameSync(`${file}.new`, file)
}

/** By the key of the mutant. */
export type Results = Record<string, Result>
export const readResults = (): Results => read('results.json')
export const writeResults = (results: Results): void => write('results.json', results)

/** By the path of the test file. */
export type Coverages = Record<string, Coverage>
export const readCoverages = (): Coverages => read('coverage.json')
export const writeCoverages = (coverages: Coverages): void => write('coverage.json', coverages)
