/** The summary of the results: a table by folder and by operator, and each mutant that no test noticed. */
import { FOLDERS, type Mutant } from './catalogue.ts'
import type { Result, Verdict } from './store.ts'

export interface Tried {
  readonly mutant: Mutant
  readonly result: Result
}

const count = (tried: readonly Tried[], verdict: Verdict): number =>
  tried.filter(({ result }) => result.verdict === verdict).length

const NOTICED: ReadonlySet<Verdict> = new Set(['killed', 'timed out'])
const isNoticed = ({ result }: Tried): boolean => NOTICED.has(result.verdict)

/** The 95 % interval of a share (Wilson), corrected for a sample of a finite number. @returns shares between 0 and 1 */
const interval = (hits: number, sample: number, all: number): readonly [low: number, high: number] => {
  if (sample === 0) return [0, 1]
  if (sample === all) return [hits / sample, hits / sample]
  const z = 1.96 * Math.sqrt((all - sample) / Math.max(1, all - 1))
  const share = hits / sample
  const middle = share + z ** 2 / (2 * sample)
  const reach = z * Math.sqrt((share * (1 - share)) / sample + z ** 2 / (4 * sample ** 2))
  const whole = 1 + z ** 2 / sample
  return [(middle - reach) / whole, (middle + reach) / whole]
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const row = (name: string, tried: readonly Tried[], all: number): string => {
  const noticed = tried.filter(isNoticed).length
  const [low, high] = interval(noticed, tried.length, all)
  const verdicts = (['killed', 'timed out', 'survived', 'not covered'] as const).map((each) => count(tried, each))
  const score = tried.length > 0 ? `${percent(noticed / tried.length)} | ${percent(low)} to ${percent(high)}` : ' | '
  return `| ${name} | ${all} | ${tried.length} | ${verdicts.join(' | ')} | ${score} |`
}

const table = (
  title: string,
  names: readonly string[],
  nameOf: (mutant: Mutant) => string,
  mutants: readonly Mutant[],
  tried: readonly Tried[],
): string[] => [
  `| ${title} | mutants | run | killed | timed out | survived | not covered | score | 95 % interval |`,
  '|---|---|---|---|---|---|---|---|---|',
  ...names.map((name) =>
    row(
      name,
      tried.filter(({ mutant }) => nameOf(mutant) === name),
      mutants.filter((mutant) => nameOf(mutant) === name).length,
    ),
  ),
]

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 160)

/** A mutant as one line. */
export const described = ({ id, path, line, change, original }: Mutant): string =>
  `${id} ${path}:${line} ${change.operator}: ${oneLine(original)} → ${oneLine(change.replacement) || 'nothing'}`

/** As Markdown. @param mutants all mutants */
export const report = (mutants: readonly Mutant[], tried: readonly Tried[]): string => {
  const operators = [...new Set(mutants.map(({ change }) => change.operator))].toSorted()
  return [
    ...table('folder', FOLDERS, ({ folder }) => folder, mutants, tried),
    row('all', tried, mutants.length),
    '',
    ...table('operator', operators, ({ change }) => change.operator, mutants, tried),
    '',
    ...tried
      .filter((each) => !isNoticed(each))
      .map(({ mutant, result: { verdict, passed, reaching } }) =>
        verdict === 'survived'
          ? `- survived ${passed?.length} of ${reaching} test files: ${described(mutant)}`
          : `- ${verdict}: ${described(mutant)}`,
      ),
  ].join('\n')
}
