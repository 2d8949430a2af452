/**
 * What the list of users in the console asks while an administrator types, one letter after the other, among ten thousand and among a
 * million users: names that all begin alike, which is the worst case, usernames and ids.
 */
import { atMost, type Section } from '../figures.ts'
import type { Population } from '../population.ts'
import type { World } from '../world.ts'
import { FEW, MANY } from './users.ts'

/** As the screen shows them. */
const ROWS = 20
const TYPED = 30
/** Above it the list would be seen to lag behind the typing. */
const MOST_MS = 200

/** What is in the box after each letter. */
const lettersOf = (word: string): string[] => Array.from(word, (_letter, at) => word.slice(0, at + 1))

/** As the screen writes it: an underscore that was typed stands for itself, and not for any letter, which no index answers. */
const patternOf = (typed: string): string => `${typed.replaceAll(/[%_\\]/g, '\\$&')}%`

/** Milliseconds of each request, in order, after some that warm up. */
const measured = async ({ api }: World, { size }: Population): Promise<number[]> => {
  const took: number[] = []
  for (let count = -2; count < TYPED; count += 1) {
    const index = Math.floor(Math.random() * size)
    const words = [`User ${index}`, `bench_${index}`, `u${String(index).padStart(11, '0')}`]
    for (const typed of lettersOf(words[Math.abs(count) % words.length] ?? '')) {
      const before = performance.now()
      await api.listUsers.pages({ query: { page: 1, page_size: ROWS, search: patternOf(typed) } }).next()
      if (count >= 0) took.push(performance.now() - before)
    }
  }
  return took.sort((a, b) => a - b)
}

const sectionOf = (size: number, took: readonly number[]): Section => {
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0
  return {
    title: `Search of the console while typing, ${size.toLocaleString('en')} users`,
    figures: [
      { name: 'requests', value: String(took.length) },
      atMost('p50', at(0.5), `${at(0.5).toFixed(1)} ms`, MOST_MS, ' ms'),
      atMost('p95', at(0.95), `${at(0.95).toFixed(1)} ms`, MOST_MS, ' ms'),
      { name: 'slowest', value: `${(took.at(-1) ?? 0).toFixed(1)} ms` },
    ],
  }
}

/** @param print called with each section as soon as it is measured */
export const consoleSearch = async (
  world: World,
  population: Population,
  print: (section: Section) => void,
): Promise<void> => {
  for (const size of world.quick ? [FEW] : [FEW, MANY]) {
    await population.growTo(size)
    print(sectionOf(size, await measured(world, population)))
  }
}
