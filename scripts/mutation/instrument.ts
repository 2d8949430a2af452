/** The text of a file with probes in it: the same program, which also records which of its mutants a test reaches. */
import type { Change, Probe } from './change.ts'

interface Insertion {
  readonly at: number
  readonly text: string
  /** If several start at one position, the lowest comes first. */
  readonly rank: number
}

interface Site {
  readonly probe: Probe
  readonly ids: number[]
}

const around = ({ when, form }: Probe, ids: readonly number[]): readonly [before: string, after: string] => {
  const list = ids.join()
  if (form !== 'expression') return [`{__reached(${list});`, '}']
  if (when === 'runs') return [`__second(__reached(${list}),`, ')']
  return [`__${when}([${list}],`, ')']
}

const insertionsOf = ({ probe, ids }: Site): Insertion[] => {
  const { start, end, form } = probe
  const [before, after] = around(probe, ids)
  // a statement without a semicolon is as long as its expression, and around it
  const length = end - start + (form === 'expression' ? 0 : 0.5)
  if (form === 'block') return [{ at: start + 1, text: before.slice(1), rank: -length }]
  // ends come before starts; the inner of two ends first and starts last
  return [
    { at: start, text: before, rank: 2e9 - length },
    { at: end, text: after, rank: -2e9 + length },
  ]
}

/** @param ids of the mutants, in the order of `changes` */
export const instrumented = (source: string, changes: readonly Change[], ids: readonly number[]): string => {
  const sites = new Map<string, Site>()
  for (const [index, { probe }] of changes.entries()) {
    const key = `${probe.when} ${probe.form} ${probe.start} ${probe.end}`
    const site = sites.get(key) ?? { probe, ids: [] }
    site.ids.push(ids[index] ?? 0)
    sites.set(key, site)
  }
  const insertions = [...sites.values()].flatMap(insertionsOf).sort((a, b) => a.at - b.at || a.rank - b.rank)
  let text = ''
  let from = 0
  for (const { at, text: inserted } of insertions) {
    text += source.slice(from, at) + inserted
    from = at
  }
  return text + source.slice(from)
}

/** The text with one change applied. */
export const mutated = (source: string, { start, end, replacement }: Change): string =>
  source.slice(0, start) + replacement + source.slice(end)
