import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/*/test/**/*.test.ts'],
    globalSetup: ['packages/harness/src/global-setup.ts'],
    reporters: ['default', './scripts/closing-line-reporter.ts'],
    pool: 'forks',
    // tests wait for browsers, processes and the database as often as they work
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
