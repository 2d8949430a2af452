/** `npm run interoperability`: with software that others wrote and that is too heavy for every run of the tests. */
import { defineConfig, mergeConfig } from 'vitest/config'
import base from '../vitest.config.ts'

const { test, ...rest } = base

export default mergeConfig(
  { ...rest, test: { ...test, include: [] } },
  defineConfig({ test: { include: ['interoperability/*.test.ts'] } }),
)
