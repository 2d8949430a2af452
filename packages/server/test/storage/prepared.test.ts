/** Which statements have a name (docs/decisions/0024): this is state of the process, so the tests call it directly. */
import { forgetPrepared, preparedName, preparedNameOfOften } from '@countersign/server/storage/prepared.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

// other files run in the same process, before and after this one
beforeEach(forgetPrepared)
afterEach(forgetPrepared)

const often = (text: string) => {
  for (let count = 1; count < 20; count += 1) expect(preparedNameOfOften(text)).toBeUndefined()
  return preparedNameOfOften(text)
}

test('a statement has a name from its twentieth use on, and a marked one immediately', () => {
  const name = often('SELECT 1 AS often')
  expect(name).toMatch(/^prepared-\d+$/)
  expect(preparedName('SELECT 1 AS often')).toBe(name)
  expect(preparedName('SELECT 1 AS rare')).toBeUndefined()
  expect(preparedName('/* prepared */ SELECT 1')).toMatch(/^prepared-\d+$/)
})

test('after 250 names only marked statements get one', () => {
  for (let count = 0; count < 250; count += 1) expect(often(`SELECT ${count} AS filler`)).toBeDefined()
  expect(often('SELECT 1 AS late')).toBeUndefined()
  expect(preparedName('/* prepared */ SELECT 1 AS late')).toMatch(/^prepared-\d+$/)
})

test('after a migration a statement has another name', () => {
  const before = preparedName('/* prepared */ SELECT 2')
  forgetPrepared()
  expect(preparedName('/* prepared */ SELECT 2')).not.toBe(before)
})
