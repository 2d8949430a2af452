/**
 * `npm run mutation`: makes small changes in the sources and checks whether a test fails (docs/mutation.md).
 * Results are stored: a stopped run continues where it was.
 */
import { parseArgs } from 'node:util'
import { startCluster, withAdmin } from '../../packages/harness/src/cluster.ts'
import { type Mutant, readCatalogue } from './catalogue.ts'
import { recordCoverage } from './coverage.ts'
import { createOrder } from './order.ts'
import { described, report } from './report.ts'
import { sampled } from './sample.ts'
import { readCoverages, readResults, writeResults } from './store.ts'
import { durationOf, testFiles } from './test-files.ts'
import { createTestProcess } from './test-process.ts'
import { createTrials } from './trial.ts'

const USAGE = `npm run mutation -- [options]
  --sample N    N mutants at random instead of all of them
  --seed N      which ones; without it, a seed is drawn and printed
  --only PATH   mutants of files whose path contains PATH
  --id N,N      these mutants
  --tests TEXT  only test files whose path matches this regular expression
  --files N     gives a mutant up after it has survived N test files; 12 unless told
  --again       runs survivors against the files that they have not met, and those not covered once more
  --coverage    only records what test files reach
  --no-coverage relies on earlier records, also for test files that have changed; new ones are not run
  --list        prints the mutants
  --report      prints the results there are`

const { values: options } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    only: { type: 'string' },
    id: { type: 'string' },
    tests: { type: 'string', default: '' },
    files: { type: 'string', default: '12' },
    again: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    'no-coverage': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** After this many kills the last killing test is run without a mutant: it has to pass. */
const CONTROL_EVERY = 20

const catalogue = readCatalogue()
const results = readResults()

/** The mutants that the options select, before sampling. */
const population = (): readonly Mutant[] => {
  const ids = options.id?.split(',').map(Number)
  return catalogue.mutants.filter(
    ({ id, path }) => (!options.only || path.includes(options.only)) && (!ids || ids.includes(id)),
  )
}

const chosen = (): readonly Mutant[] => {
  const { sample, seed } = options
  if (sample === undefined) return population()
  console.log(`a sample of ${sample} with seed ${seed}`)
  return sampled(population(), Number(sample), Number(seed))
}

/** Whether the result of a mutant is already known. */
const isDone = ({ key }: Mutant): boolean => {
  const result = results[key]
  if (!result || options.id) return false
  return !options.again || result.verdict === 'killed' || result.verdict === 'timed out'
}

const run = async (mutants: readonly Mutant[]): Promise<void> => {
  const { address, stop } = await startCluster()
  const provided = { cluster: address }
  const dropLeftOver = () =>
    withAdmin(address, async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        `SELECT datname FROM pg_database WHERE datname ~ '^test_'`,
      )
      for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
    })
  const tester = createTestProcess(dropLeftOver)
  const close = async () => {
    await tester.close()
    await stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void close().finally(() => process.exit(130))
    })
  try {
    const tests = testFiles().filter((path) => new RegExp(options.tests).test(path))
    const coverages = readCoverages()
    if (!options['no-coverage']) {
      console.log(`what ${tests.length} test files reach:`)
      await recordCoverage(catalogue, coverages, tests, tester, provided)
    }
    const coverage = Object.entries(coverages).filter(([test]) => tests.includes(test))
    const order = createOrder(catalogue, new Map(coverage), durationOf)
    for (const mutant of catalogue.mutants) {
      const { by, passed = [] } = results[mutant.key] ?? {}
      for (const test of passed) order.learn(mutant, test, false)
      if (by) order.learn(mutant, by.split(':')[0] ?? '', true)
    }
    const trials = createTrials(catalogue, order, tester, provided)
    const begun = performance.now()
    let kills = 0
    for (const [at, mutant] of mutants.entries()) {
      const before = options.id ? undefined : results[mutant.key]
      const result = await trials.run(mutant, Number(options.files), before)
      const [test = ''] = result.by?.split(':') ?? []
      if (result.verdict === 'killed') kills += 1
      if (result.verdict === 'killed' && kills % CONTROL_EVERY === 0 && (await trials.control(test)) === undefined) {
        console.log(`${test} fails without a mutant: the verdict on ${mutant.id} is void`)
        continue
      }
      results[mutant.key] = result
      writeResults(results)
      const seconds = ((performance.now() - begun) / 1000 / (at + 1)).toFixed(1)
      console.log(`${at + 1}/${mutants.length} ${seconds} s each: ${result.verdict} ${described(mutant)}`)
      if (options.id && result.by) console.log(`  by ${result.by}`)
    }
  } finally {
    await close()
  }
}

if (options.help) console.log(USAGE)
else if (options.list) for (const mutant of chosen()) console.log(described(mutant))
else {
  const mutants = chosen()
  const left = mutants.filter((mutant) => !isDone(mutant))
  if (!options.report && (left.length > 0 || options.coverage)) await run(options.coverage ? [] : left)
  const tried = mutants.flatMap((mutant) => {
    const result = results[mutant.key]
    return result ? [{ mutant, result }] : []
  })
  console.log(report(population(), tried))
}
