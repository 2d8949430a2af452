/** The sentences that say why a token is as it is are found again, whatever values they have. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TOKEN_REASONS, tokenReasonOf } from '../src/token-reasons.ts'

test('every sentence is found again, each by one code, and others are not', () => {
  for (const [code, sentence] of Object.entries(TOKEN_REASONS)) expect(tokenReasonOf(sentence)?.code).toBe(code)
  expect(tokenReasonOf('something else')).toBeUndefined()
  expect(tokenReasonOf('')).toBeUndefined()
})

test('a row is found again by any name', () => {
  fc.assert(
    fc.property(
      fc.string().filter((row) => row !== '{row}'),
      (row) => {
        const sentence = TOKEN_REASONS.row_disallows.replace('{row}', () => row)
        expect(tokenReasonOf(sentence)).toEqual({ code: 'row_disallows', values: { row } })
      },
    ),
  )
})
