/** Which mutants each test file reaches: every file is run once, on instrumented sources. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Catalogue, digestOf, ROOT } from './catalogue.ts'
import { instrumented } from './instrument.ts'
import { type Coverages, type Reached, writeCoverages } from './store.ts'
import type { TestProcess } from './test-process.ts'

/** Milliseconds for one file. */
const LIMIT = 300_000

const writeInstrumented = ({ mutants, sources }: Catalogue, folder: string): void => {
  const byPath = Map.groupBy(mutants, ({ path }) => path)
  for (const [path, source] of sources) {
    const own = byPath.get(path) ?? []
    const changes = own.map(({ change }) => change)
    const text = instrumented(
      source,
      changes,
      own.map(({ id }) => id),
    )
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The ids that worker threads have written since the last read. */
const takeThreads = (folder: string): number[] => {
  const file = join(folder, 'threads.txt')
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number)
  } catch {
    return []
  } finally {
    rmSync(file, { force: true })
  }
}

/** Digest of the test file: records with another digest are useless. */
const testDigest = (test: string): string => digestOf(readFileSync(join(ROOT, test), 'utf8'))

/** By source file. */
const reachedBy = (
  { mutants, sources }: Catalogue,
  ids: readonly number[],
  loading: readonly number[],
): Record<string, Reached> => {
  const [all, atLoading] = [new Set(ids), new Set(loading)]
  const byPath = Map.groupBy(
    mutants.filter(({ id }) => all.has(id)),
    ({ path }) => path,
  )
  return Object.fromEntries(
    [...byPath].map(([path, own]): [string, Reached] => {
      const { true: first = [], false: later = [] } = Object.groupBy(own, ({ id }) => `${atLoading.has(id)}` as const)
      const names = (of: readonly { name: string }[]) => of.map(({ name }) => name)
      return [path, { digest: digestOf(sources.get(path) ?? ''), names: names(later), loading: names(first) }]
    }),
  )
}

/** Records what is not recorded yet. A file that fails without any mutant is reported and skipped. */
export const recordCoverage = async (
  catalogue: Catalogue,
  coverages: Coverages,
  tests: readonly string[],
  process: TestProcess,
  provided: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const missing = tests.filter((test) => coverages[test]?.digest !== testDigest(test))
  if (missing.length === 0) return
  const folder = mkdtempSync(join(tmpdir(), 'countersign-instrumented-'))
  try {
    writeInstrumented(catalogue, folder)
    for (const [at, test] of missing.entries()) {
      const answer = await process.run({ file: join(ROOT, test), loading: { instrumented: folder }, provided }, LIMIT)
      const threads = takeThreads(folder)
      delete coverages[test]
      if (typeof answer === 'string' || answer.failure) {
        const why = typeof answer === 'string' ? answer : `${answer.failure?.test}: ${answer.failure?.message}`
        console.log(`  left out, fails without a mutant: ${test}: ${why}`)
        continue
      }
      const reached = [...new Set([...answer.reached, ...threads])]
      coverages[test] = {
        digest: testDigest(test),
        reached: reachedBy(catalogue, reached, answer.reachedByLoading),
      }
      console.log(
        `  ${at + 1}/${missing.length} ${test}: ${reached.length} mutants, ${Math.round(answer.milliseconds)} ms`,
      )
      writeCoverages(coverages)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
