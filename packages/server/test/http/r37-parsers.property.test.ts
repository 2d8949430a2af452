import { parseJsonBody } from '@countersign/server/http/json-body.ts'
import { decodeUtf8, MalformedParameters, parseParameters } from '@countersign/server/http/parameters.ts'
import { ApiError } from '@countersign/server/kernel/api-error.ts'
import { OAuthError } from '@countersign/server/kernel/oauth-error.ts'
import { parseBasic } from '@countersign/server/protocol/basic-credentials.ts'
import { claimedSubject } from '@countersign/server/protocol/client-assertion.ts'
import { grantHeld, parseScope } from '@countersign/server/protocol/scope.ts'
import { decodeBase64url, parseJws } from '@countersign/server/tokens/jws.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** The value, or the error if it is of the type that the parser declares; any other error fails the test. */
const outcome = <T>(parse: () => T, declared: new (...args: never[]) => Error): T | 'refused' => {
  try {
    return parse()
  } catch (error) {
    expect(error).toBeInstanceOf(declared)
    return 'refused'
  }
}

const noNul = (unit: 'grapheme' | 'binary' = 'grapheme') =>
  fc.string({ unit }).filter((text) => !text.includes('\0') && text.isWellFormed())
/** Text that is likely to be close to what a parser expects. */
const nearly = (alphabet: string) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 60 })

describe('R-37 forms', () => {
  test('R-37 any input is parsed or refused as malformed, and nothing parsed holds NUL', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearly('%=&+0aF\0é_')), (text) => {
        const parameters = outcome(() => parseParameters(text), MalformedParameters)
        if (parameters === 'refused') return
        for (const [name, values] of parameters) {
          expect(values.length).toBeGreaterThan(0)
          expect(name + values.join('')).not.toContain('\0')
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('R-37 encoding and parsing round-trips, in order, with every repetition', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(noNul(), noNul()), { maxLength: 20 }), (pairs) => {
        const expected = new Map<string, string[]>()
        for (const [name, value] of pairs) expected.set(name, [...(expected.get(name) ?? []), value])
        expect(parseParameters(new URLSearchParams(pairs).toString())).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })

  test('R-37 bytes are decoded as text or refused as malformed, and text round-trips', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = outcome(() => decodeUtf8(bytes), MalformedParameters)
        if (text !== 'refused') expect(Buffer.from(text)).toEqual(Buffer.from(bytes))
      }),
    )
    fc.assert(
      fc.property(noNul('binary'), (text) => {
        expect(decodeUtf8(Buffer.from(text))).toBe(text)
      }),
    )
  })
})

describe('R-37 Basic', () => {
  const encode = (id: string, secret: string) =>
    `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

  test('R-37 any input is read as credentials without NUL, or undefined', () => {
    const payload = fc.uint8Array().map((bytes) => `Basic ${Buffer.from(bytes).toString('base64')}`)
    const written = nearly(':%0aF\0é+').map((text) => `Basic ${Buffer.from(text).toString('base64')}`)
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly('Basic =+/09:'), payload, written), (header) => {
        const credentials = parseBasic(header)
        if (!credentials) return
        expect(credentials.id).not.toBe('')
        expect(credentials.id + credentials.secret).not.toContain('\0')
      }),
      { numRuns: 2000 },
    )
  })

  test('R-37 any id and secret round-trip', () => {
    fc.assert(
      fc.property(
        noNul().filter((id) => id !== ''),
        noNul(),
        (id, secret) => {
          expect(parseBasic(encode(id, secret))).toEqual({ id, secret })
        },
      ),
    )
  })
})

describe('R-37 JSON bodies', () => {
  const json = 'application/json'

  test('R-37 any input is parsed or refused as an API error', () => {
    const body = fc.oneof(
      fc.uint8Array(),
      nearly('{}[]",:\\u0"tn_a1').map((text) => Buffer.from(text)),
    )
    fc.assert(
      fc.property(body, fc.oneof(fc.constant(json), fc.string()), (bytes, type) => {
        outcome(() => parseJsonBody(Buffer.from(bytes), type), ApiError)
      }),
      { numRuns: 2000 },
    )
  })

  test('R-37 valid input round-trips', () => {
    const sound = (value: unknown) => {
      const text = JSON.stringify(value)
      return !/\\u0000|\\ud[89a-f]|__proto__/i.test(text)
    }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }).filter(sound), (value) => {
        const text = JSON.stringify(value)
        expect(parseJsonBody(Buffer.from(text), json)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('R-37 R-35 __proto__, NUL, an unpaired surrogate and 65 levels are refused wherever they are', () => {
    const bad = fc.constantFrom('{"__proto__":{}}', '"\\u0000"', '{"a\\u0000":1}', '"\\ud800"', '{"\\udfff":1}')
    const around = fc.array(fc.constantFrom<[string, string]>(['[', ']'], ['{"a":', '}'], ['[1,', ']']), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(bad, around, (inner, wrappers) => {
        const text = wrappers.reduce<string>((inside, [open, close]) => `${open}${inside}${close}`, inner)
        expect(outcome(() => parseJsonBody(Buffer.from(text), json), ApiError)).toBe('refused')
      }),
    )
    const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels))
    expect(outcome(() => parseJsonBody(nested(64), json), ApiError)).not.toBe('refused')
    for (const levels of [65, 1000, 500_000]) {
      expect(outcome(() => parseJsonBody(nested(levels), json), ApiError)).toBe('refused')
    }
  })
})

describe('R-37 JWS', () => {
  const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const object = fc.dictionary(noNul(), fc.jsonValue())

  test('R-37 any input is parsed or undefined, and never throws', () => {
    const pieces = fc.oneof(fc.string(), nearly('abC-_09=+/.'), fc.jsonValue().map(segment), fc.base64String())
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
        const token = parts.join('.')
        const parsed = parseJws(token)
        claimedSubject(token)
        if (!parsed) return
        expect(token.split('.')).toHaveLength(3)
        expect(token.startsWith(`${parsed.signed}.`)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('R-37 written values round-trip, and nothing is inherited', () => {
    fc.assert(
      fc.property(object, object, fc.uint8Array({ minLength: 1 }), (header, claims, signature) => {
        const token = `${segment(header)}.${segment(claims)}.${Buffer.from(signature).toString('base64url')}`
        const parsed = parseJws(token)
        expect(Object.entries(parsed?.header ?? {})).toEqual(Object.entries(JSON.parse(JSON.stringify(header))))
        expect(Object.entries(parsed?.claims ?? {})).toEqual(Object.entries(JSON.parse(JSON.stringify(claims))))
        expect(parsed?.signature).toEqual(Buffer.from(signature))
      }),
    )
  })

  test('R-37 base64url has one form for each value', () => {
    fc.assert(
      fc.property(fc.oneof(nearly('abC-_09=+/'), fc.base64String()), (text) => {
        const bytes = decodeBase64url(text)
        if (bytes) expect(bytes.toString('base64url')).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('R-37 scope', () => {
  test('R-37 any input is a list of distinct scope tokens or refused, and only held ones are granted', () => {
    const held = new Set(['read', 'write:x'])
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearly('readwit:x "\\\té')), (text) => {
        const scopes = outcome(() => parseScope(text), OAuthError)
        if (scopes === 'refused') return
        for (const scope of scopes) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
        expect(new Set(scopes).size).toBe(scopes.length)
        const { scopes: granted, dropped } = grantHeld(scopes, held)
        for (const scope of granted) expect(held.has(scope)).toBe(true)
        expect([...granted, ...dropped.map(({ scope }) => scope)].toSorted()).toEqual(scopes.toSorted())
      }),
      { numRuns: 1000 },
    )
  })
})
