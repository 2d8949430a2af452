/** The test files that mutants are run against: those of the server that work in one process and within seconds. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './catalogue.ts'

/** These start separate processes, browsers or databases, which contain no mutant. */
const ELSEWHERE =
  /\/(cli|start|webhooks|guides)\/|reliability\/(kill|cut)|storage\/(embedded|migration|audit-file)|browser|docs-page|conformance-page|architecture|specification\.test/
/**
 * Seconds. A file that takes longer kills hardly any mutant that a shorter one does not, unless its subject is this
 * code.
 */
const LONGEST = 9
const LONGEST_OF_SUBJECT = 25
const OF_SUBJECT = /test\/(protocol|sign-in|token-exchange|custom-claims|redirects)\//
const UNRECORDED = 5

const durations: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(ROOT, 'scripts/test-durations.json'), 'utf8'),
)

/** Milliseconds that a test file takes, as `npm run test:durations` recorded it. */
export const durationOf = (path: string): number => 1000 * (durations[path] ?? UNRECORDED)

const longest = (path: string): number => 1000 * (OF_SUBJECT.test(path) ? LONGEST_OF_SUBJECT : LONGEST)

/** Paths in the repository, the quickest first. */
export const testFiles = (): string[] =>
  globSync('packages/server/test/**/*.test.ts', { cwd: ROOT })
    .filter((path) => !ELSEWHERE.test(path) && durationOf(path) <= longest(path))
    .toSorted((a, b) => durationOf(a) - durationOf(b))
