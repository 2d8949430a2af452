/** Ends a test run with one line that summarizes it: `N passed, N failed`. */
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const broken = modules.filter(
      (module) => module.state() === 'failed' && [...module.children.allTests('failed')].length === 0,
    )
    const passed = states.filter((state) => state === 'passed').length
    const failed = states.filter((state) => state === 'failed').length + broken.length + errors.length
    // after the summary of the default reporter
    process.once('exit', () => process.stdout.write(`\n${passed} passed, ${failed} failed\n`))
  }
}
