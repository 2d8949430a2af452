/** Distinguished names, which decide who a certificate authenticates: the examples of RFC 4514, and any text at all. */
import {
  type DistinguishedName,
  isSameName,
  parseDistinguishedName,
  writeDistinguishedName,
} from '@countersign/server/kernel/distinguished-names.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const [CN, O, OU, DC, UID] = [
  '2.5.4.3',
  '2.5.4.10',
  '2.5.4.11',
  '0.9.2342.19200300.100.1.25',
  '0.9.2342.19200300.100.1.1',
]
const domain = [[{ type: DC, value: 'net' }], [{ type: DC, value: 'example' }]]

/** Nothing in it is the same after RFC 4518 has prepared it: one case, and no space but between other characters. */
const plainValue = fc.stringMatching(/^[a-c,+"\\;<>=#\0é](?:[a-c,+"\\;<>=#\0é]| [a-c,+"\\;<>=#\0é]){0,5}$/)
const attribute = fc.record({ type: fc.constantFrom(CN, O, OU, DC, '1.3.6.1.4.1.1466.0'), value: plainValue })
const name = fc.array(fc.array(attribute, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 })

/** The parts in their order, the attributes of each in any: what RFC 4517 section 4.2.15 compares. */
const canonical = (parts: DistinguishedName): string =>
  JSON.stringify(parts.map((part) => part.map(({ type, value }) => JSON.stringify([type, value])).toSorted()))

describe('distinguished names (RFC 4514)', () => {
  test('the examples of section 4 are read, but for the value in hexadecimal, which names nobody', () => {
    const examples: Readonly<Record<string, DistinguishedName | undefined>> = {
      'UID=jsmith,DC=example,DC=net': [...domain, [{ type: UID, value: 'jsmith' }]],
      'OU=Sales+CN=J.  Smith,DC=example,DC=net': [
        ...domain,
        [
          { type: OU, value: 'Sales' },
          { type: CN, value: 'J.  Smith' },
        ],
      ],
      'CN=James \\"Jim\\" Smith\\, III,DC=example,DC=net': [...domain, [{ type: CN, value: 'James "Jim" Smith, III' }]],
      'CN=Before\\0dAfter,DC=example,DC=net': [...domain, [{ type: CN, value: 'Before\rAfter' }]],
      '1.3.6.1.4.1.1466.0=#04024869': undefined,
      'CN=Lu\\C4\\8Di\\C4\\87': [[{ type: CN, value: 'Lučić' }]],
    }
    for (const [text, read] of Object.entries(examples)) expect(parseDistinguishedName(text), text).toEqual(read)
  })

  test('any text is read or refused, and what is read is written and read again as the same name', () => {
    const pieces = fc.constantFrom(
      'CN',
      'O=',
      '2.5.4.3',
      '=',
      ',',
      '+',
      '\\',
      '\\2C',
      '\\C4',
      '#',
      ' ',
      '"',
      '\0',
      'é',
      '\ud800',
    )
    const nearly = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          nearly.map((parts) => `CN=${parts.join('')}`),
        ),
        (text) => {
          const read = parseDistinguishedName(text)
          if (!read) return
          expect(read.flat().length).toBeGreaterThan(0)
          const again = parseDistinguishedName(writeDistinguishedName(read))
          expect(again).toEqual(read)
        },
      ),
      { numRuns: 800 },
    )
  })

  test('a name is equal to itself in other words: another case, more space, another order within a part', () => {
    fc.assert(
      fc.property(name, (parts) => {
        const other = parts.map((part) =>
          part
            .map(({ type, value }) => ({ type, value: ` ${value.toUpperCase().replaceAll(' ', ' \t ')} ` }))
            .toReversed(),
        )
        expect(isSameName(parts, other)).toBe(true)
        const read = parseDistinguishedName(writeDistinguishedName(parts))
        expect(read).toEqual(parts)
      }),
    )
  })

  test('names that differ are never equal: no value passes for a separator, another attribute, or another part', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(isSameName(one, other)).toBe(canonical(one) === canonical(other))
        // cut short, doubled, or in another order
        expect(isSameName(one, one.slice(1))).toBe(false)
        expect(isSameName(one, [...one, ...one])).toBe(false)
        expect(isSameName(one, one.toReversed())).toBe(canonical(one) === canonical(one.toReversed()))
        // all attributes in one part, and each in its own
        const [joined, apart] = [[one.flat()], one.flat().map((each) => [each])]
        expect(isSameName(joined, apart)).toBe(one.flat().length === 1)
      }),
      { numRuns: 1000 },
    )
  })
})
