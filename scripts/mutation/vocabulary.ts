/** Which test files are about the code that a mutant changes: a test of `acr` contains that word, other sign-ins do not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './catalogue.ts'

/** The parts of names, in lower case: `firstScreen` and `first_screen` have the same words. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g),
  )

/** The text of a test file and of the tables that it imports. */
const textOf = (test: string): string => {
  const text = readFileSync(join(ROOT, test), 'utf8')
  const tables = [...text.matchAll(/from '(\.\/[\w.-]+\.table\.ts)'/g)].map(([, name = '']) => join(test, '..', name))
  return [text, ...tables.map((table) => readFileSync(join(ROOT, table), 'utf8'))].join('\n')
}

/** The share of the words of a text that a test file contains, from 0 to 1; rare words weigh more. */
export type Affinity = (test: string, text: string) => number

/** Reads the test files. */
export const createAffinity = (tests: readonly string[]): Affinity => {
  const words = new Map(tests.map((test) => [test, wordsOf(textOf(test))]))
  const spread = new Map<string, number>()
  for (const own of words.values()) for (const word of own) spread.set(word, (spread.get(word) ?? 0) + 1)
  const weightOf = (word: string): number => Math.log((tests.length + 1) / (spread.get(word) ?? tests.length + 1))
  return (test, text) => {
    const own = words.get(test)
    let [found, all] = [0, 0]
    for (const word of wordsOf(text)) {
      all += weightOf(word)
      if (own?.has(word)) found += weightOf(word)
    }
    return all === 0 ? 0 : found / all
  }
}
