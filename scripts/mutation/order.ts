/** Which test files a mutant is run against, and in which order: those that reach it, likely and fast killers first. */
import { type Catalogue, digestOf, type Mutant } from './catalogue.ts'
import type { Coverage } from './store.ts'

/** The record of a test file with the mutants of a source file. */
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
  const recordOf = (path: string, test: string): History => {
    const key = `${path} ${test}`
    const record = records.get(key) ?? { kills: 0, attempts: 0 }
    records.set(key, record)
    return record
  }

  return {
    testsFor(mutant) {
      const { path, name } = mutant
      const ofFile = reaching(path)
      const largest = Math.max(...ofFile.map((test) => knowledgeOf(test, path)))
      const promise = (test: string): number => {
        const { kills, attempts } = recordOf(path, test)
        const prior = largest > 0 ? knowledgeOf(test, path) / largest : 1
        return (kills + prior) / (attempts + 1) / durationOf(test)
      }
      // code that runs when modules are loaded is reached by every file: then those that reach other code of its file
      // can detect it
      const tests = loading.has(name) || isNew(mutant) ? ofFile : [...(known.get(name) ?? [])]
      const byPromise = new Map(tests.map((test) => [test, promise(test)]))
      return tests.toSorted((a, b) => (byPromise.get(b) ?? 0) - (byPromise.get(a) ?? 0))
    },
    durationOf,
    learn({ path }, test, hasKilled) {
      const record = recordOf(path, test)
      record.attempts += 1
      if (hasKilled) record.kills += 1
    },
  }
}
