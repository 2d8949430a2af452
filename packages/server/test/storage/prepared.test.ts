/** Which statements have a name (docs/decisions/0024): a rule of the process, so it is asked directly. */
import { forgetPrepared, preparedName, preparedNameOfOften } from '@countersign/server/storage/prepared.ts'
import { afterEach, expect, test } from 'vitest'

afterEach(forgetPrepared)

const often = (text: string) => {
  for (let count = 1; count < 20; count += 1) expect(preparedNameOfOften(text)).toBeUndefined()
  return preparedNameOfOften(text)
}

test('a statement has a name from the twentieth time on, and a marked one at once', () => {
  const name = often('SELECT 1 AS often')
  expect(name).toMatch(/^prepared-\d+$/)
  expect(preparedName('SELECT 1 AS often')).toBe(name)
  expect(preparedName('SELECT 1 AS rare')).toBeUndefined()
  expect(preparedName('/* prepared */ SELECT 1')).toMatch(/^prepared-\d+$/)
})

test('once 250 have a name no other statement gets one, except marked ones', () => {
  forgetPrepared()
  for (let count = 0; count < 250; count += 1) expect(often(`SELECT ${count} AS filler`)).toBeDefined()
  expect(often('SELECT 1 AS late')).toBeUndefined()
  expect(preparedName('/* prepared */ SELECT 1 AS late')).toMatch(/^prepared-\d+$/)
})

test('after a migration a statement has another name', () => {
  const before = preparedName('/* prepared */ SELECT 2')
  forgetPrepared()
  expect(preparedName('/* prepared */ SELECT 2')).not.toBe(before)
})
