import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds by file, as `npm run test:durations` recorded them. */
const DURATIONS: Readonly<Record<string, number>> = JSON.parse(readFileSync('scripts/test-durations.json', 'utf8'))
/** Of a file that is not recorded: it may be a long one. */
const UNRECORDED = 60

/** Begins with the longest file: one that began last would be waited for alone. The same order in a fresh clone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const durationOf = ({ moduleId }: TestSpecification) => DURATIONS[relative(process.cwd(), moduleId)] ?? UNRECORDED
    return sorted.toSorted((a, b) => durationOf(b) - durationOf(a))
  }
}

if (process.env.TEST_SEED === 'random') {
  process.env.TEST_SEED = String(Math.floor(Math.random() * 1_000_000))
  process.stdout.write(`TEST_SEED=${process.env.TEST_SEED}\n`)
}

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts'],
    setupFiles: ['packages/harness/src/seed.ts'],
    globalSetup: ['packages/harness/src/global-setup.ts'],
    reporters: ['default', './scripts/closing-line-reporter.ts'],
    pool: 'forks',
    // a process runs many files: loading the server takes a second of a processor, and it keeps nothing outside its objects.
    // What a test file needs for itself is a database, which it has
    isolate: false,
    // one more than there are processors: tests wait for browsers, programs and the database a quarter of the time
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // for what hangs: no test is as slow as this, on a machine however busy
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
})
