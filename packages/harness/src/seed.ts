/**
 * Fixes what property tests draw, before each test file: CI fails because of a change, not by chance. `TEST_SEED=random`
 * explores other cases, and the number that it prints repeats them. Tests that kill processes choose their moments freely.
 */
import { configureGlobal } from 'fast-check'
import { testSeed } from './test-seed.ts'

configureGlobal({ seed: testSeed })
