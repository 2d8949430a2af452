/**
 * Records how long test files take, for the order of the next run (vitest.config.ts): `npm run test:durations`, of all files or of
 * the named ones. In whole seconds.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const RECORD = 'scripts/test-durations.json'

export default class DurationsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const before: Record<string, number> = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {}
    const durations = new Map(Object.entries(before).filter(([file]) => existsSync(file)))
    for (const module of modules) {
      const { duration, collectDuration } = module.diagnostic()
      const file = relative(process.cwd(), module.moduleId)
      const seconds = Math.round((duration + collectDuration) / 1000)
      // a failed file may have ended early, or waited until a timeout
      if (module.state() === 'passed') durations.set(file, seconds)
    }
    const sorted = [...durations].sort(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  }
}
