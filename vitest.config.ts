import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take more than ten seconds. One of them that began last would be waited for alone. */
const LONG =
  /\/(management\/(audit-log|authorization|bodies|docs-page-browser|no-500)|reliability\/.+|cli\/.+|pages\/pages-browser|events\/operations|start\/.+|storage\/embedded.*|webhooks\/kill|spec\/permission-changes|security\/r07-user-tokens)\.test\.ts$/

/** Begins with the long files; knows no durations of earlier runs, as in a fresh clone. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts'],
    globalSetup: ['packages/harness/src/global-setup.ts'],
    reporters: ['default', './scripts/closing-line-reporter.ts'],
    pool: 'forks',
    // a process runs many files: loading the server takes a second of a processor, and it keeps nothing outside its objects.
    // What a test file needs for itself is a database, which it has
    isolate: false,
    // tests wait for browsers, processes and the database as often as they work
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongFilesFirst },
    // for what hangs: no test is as slow as this, on a machine however busy
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
})
