/** Which test files a mutant is run against, and in which order: those that reach it, likely and fast killers first. */
import { type Catalogue, digestOf, type Mutant } from './catalogue.ts'
import type { Coverage } from './store.ts'
import { createAffinity } from './vocabulary.ts'

/** The record of a test file with the mutants of a source file, or with those of a kind. */
interface History {
  kills: number
  attempts: number
}

export interface Order {
  /** The test files that can detect the mutant, the most promising first. Empty: none reaches it. */
  testsFor(mutant: Mutant): string[]
  /** Milliseconds that a test file takes without a mutant. */
  durationOf(test: string): number
  /** Learns from a run. */
  learn(mutant: Mutant, test: string, hasKilled: boolean): void
}

/** Tests of the separation of tenants. */
const OF_TENANTS = /\/tenants\//

/** Milliseconds of each run besides the tests. */
const OVERHEAD_MS = 1500

/** The part of the code that a change affects; of a shortened chain of calls, only the removed part. */
const differenceOf = ({ original, change: { replacement } }: Mutant): string =>
  original.startsWith(replacement) ? original.slice(replacement.length) : original

/** Mutants of one kind are likely to be detected by the same tests, in whatever file they are. */
const kindOf = (mutant: Mutant): string => (/tenant/i.test(differenceOf(mutant)) ? 'tenant' : mutant.change.operator)

/** @param coverages of the test files that are run @param durationOf milliseconds that a test file takes */
export const createOrder = (
  { sources }: Catalogue,
  coverages: ReadonlyMap<string, Coverage>,
  durationOf: (test: string) => number,
): Order => {
  const known = new Map<string, Set<string>>()
  const loading = new Set<string>()
  for (const [test, { reached }] of coverages) {
    for (const { names, loading: first } of Object.values(reached)) {
      for (const name of names) known.set(name, (known.get(name) ?? new Set()).add(test))
      for (const name of first) loading.add(name)
    }
  }
  const affinity = createAffinity([...coverages.keys()])
  const reachOf = (test: string, path: string): number => coverages.get(test)?.reached[path]?.names.length ?? 0
  /**
   * How much of a file this test file reaches that few others do: its subject, as opposed to code that every sign-in
   * runs.
   */
  const knowledge = new Map<string, number>()
  const knowledgeOf = (test: string, path: string): number => {
    const key = `${path} ${test}`
    const names = coverages.get(test)?.reached[path]?.names ?? []
    const found = knowledge.get(key) ?? names.reduce((sum, name) => sum + 1 / (known.get(name)?.size ?? 1), 0)
    knowledge.set(key, found)
    return found
  }
  /** The test files that reach the file; all of them for a file that only runs when it is loaded. */
  const reaching = (path: string): string[] => {
    const all = [...coverages.keys()]
    const some = all.filter((test) => reachOf(test, path) > 0)
    return some.length > 0 ? some : all
  }
  /** Whether the code may be newer than the record. */
  const isNew = ({ path, name }: Mutant): boolean => {
    const digest = digestOf(sources.get(path) ?? '')
    return (
      !known.has(name) && [...coverages.values()].some(({ reached }) => (reached[path]?.digest ?? digest) !== digest)
    )
  }
  const records = new Map<string, History>()
  const recordOf = (subject: string, test: string): History => {
    const key = `${subject} ${test}`
    const record = records.get(key) ?? { kills: 0, attempts: 0 }
    records.set(key, record)
    return record
  }

  return {
    testsFor(mutant) {
      const { path, name, line, original } = mutant
      const kind = kindOf(mutant)
      const text = `${original} ${sources.get(path)?.split('\n')[line - 1]}`
      const ofFile = reaching(path)
      const largest = Math.max(...ofFile.map((test) => knowledgeOf(test, path)))
      const promise = (test: string): number => {
        const [inFile, ofKind] = [recordOf(path, test), recordOf(kind, test)]
        const prior = affinity(test, text) + (largest > 0 ? knowledgeOf(test, path) / largest : 1)
        const isFirst = kind === 'tenant' && OF_TENANTS.test(test)
        const rate = (inFile.kills + ofKind.kills + prior) / (inFile.attempts + ofKind.attempts + 1)
        return isFirst ? 1 : rate / (OVERHEAD_MS + durationOf(test))
      }
      // code that runs when modules are loaded is reached by every file: then those that reach other code of its file
      // can detect it
      const tests = loading.has(name) || isNew(mutant) ? ofFile : [...(known.get(name) ?? [])]
      const byPromise = new Map(tests.map((test) => [test, promise(test)]))
      return tests.toSorted((a, b) => (byPromise.get(b) ?? 0) - (byPromise.get(a) ?? 0))
    },
    durationOf,
    learn(mutant, test, hasKilled) {
      for (const record of [recordOf(mutant.path, test), recordOf(kindOf(mutant), test)]) {
        record.attempts += 1
        if (hasKilled) record.kills += 1
      }
    },
  }
}
