import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accessTokenVerifier, GuardError } from '../src/index.ts'
import { audience, startIssuer } from './issuer.ts'

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const encode = (text: string) => Buffer.from(text).toString('base64url')

async function subject() {
  const issuer = await startIssuer()
  const verify = accessTokenVerifier(issuer.expected)
  const outcome = async (token: string): Promise<'accepted' | string> => {
    try {
      await verify(token)
      return 'accepted'
    } catch (error) {
      expect(error).toBeInstanceOf(GuardError)
      const { code } = error as GuardError
      expect(code).toMatch(/^token_/)
      return code
    }
  }
  return { issuer, verify, outcome, token: await issuer.sign() }
}

describe('a valid token that is changed', () => {
  test('never verifies with any character changed', async () => {
    const { outcome, token } = await subject()
    expect(await outcome(token)).toBe('accepted')
    for (let i = 0; i < token.length; i++) {
      const others = [...base64url].filter((character) => character !== token[i])
      // The last character has the fewest significant bits: use all replacements there, and neighbours elsewhere.
      const tried = i === token.length - 1 ? others : [others[i % 63], others[(i * 7) % 63], '.', '=']
      for (const character of tried) {
        if (character === token[i]) continue
        expect(await outcome(token.slice(0, i) + character + token.slice(i + 1)), `${character} at ${i}`).not.toBe(
          'accepted',
        )
      }
    }
  })

  test('never verifies after an insertion, a deletion, a swap or a replacement', async () => {
    const { outcome, token } = await subject()
    const edit = fc.record({
      at: fc.nat(token.length),
      remove: fc.nat(3),
      insert: fc.oneof(
        fc.string({ maxLength: 3, unit: 'binary' }),
        fc.string({ maxLength: 3, unit: fc.constantFrom(...base64url, '.', '=', ' ', '\n') }),
      ),
    })
    await fc.assert(
      fc.asyncProperty(edit, async ({ at, remove, insert }) => {
        const changed = token.slice(0, at) + insert + token.slice(at + remove)
        fc.pre(changed !== token)
        expect(await outcome(changed)).not.toBe('accepted')
      }),
      { numRuns: 1000 },
    )
  })

  test('never verifies with segments of another valid token', async () => {
    const { issuer, outcome, token } = await subject()
    const other = await issuer.sign({ sub: 'user-2' }, { typ: 'application/at+jwt' })
    const [a, b] = [token.split('.'), other.split('.')]
    const pick = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
    await fc.assert(
      fc.asyncProperty(pick, async (picks) => {
        fc.pre(new Set(picks).size > 1)
        expect(await outcome(picks.map((first, i) => (first ? a : b)[i]).join('.'))).toBe('token_signature_invalid')
      }),
    )
  })
})

describe('for any input, only errors of this package are thrown', () => {
  test('any string', async () => {
    const { outcome } = await subject()
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...base64url, '.') }))
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        expect(await outcome(token)).toBe('token_malformed')
      }),
      { numRuns: 1000 },
    )
  })

  test('any JSON as header and payload', async () => {
    const { outcome } = await subject()
    const name = fc.constantFrom(
      'alg',
      'typ',
      'kid',
      'crit',
      'b64',
      'jwk',
      'jku',
      'x5c',
      'cty',
      'zip',
      'enc',
      '__proto__',
    )
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('ES256', 'none', 'HS256', 'at+jwt', 'first', ['b64'], true))
    const header = fc.oneof(
      fc.dictionary(name, value),
      fc.jsonValue(),
      fc.dictionary(name, value).map((h) => ({ ...h, alg: 'ES256' })),
    )
    await fc.assert(
      fc.asyncProperty(header, fc.jsonValue(), fc.base64String(), async (protectedHeader, payload, signature) => {
        const segments = [JSON.stringify(protectedHeader), JSON.stringify(payload), signature].map(encode)
        expect(await outcome(segments.join('.'))).not.toBe('accepted')
      }),
      { numRuns: 1000 },
    )
  })

  test('any claims that the issuer itself signs: accepted only when every requirement holds', async () => {
    const { issuer, verify, outcome } = await subject()
    const name = fc.constantFrom(...Object.keys(issuer.claims), 'act', 'organization_id', 'nbf', '__proto__', 'custom')
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(audience, [audience], issuer.issuer, 1, 4_000_000_000, { sub: 'x' }),
    )
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 3 }), async (changes) => {
        const token = await issuer.sign(changes)
        if ((await outcome(token)) !== 'accepted') return
        accepted += 1
        const { claims, subject, clientId, scopes, actor, organizationId } = await verify(token)
        expect([claims.iss, [claims.aud].flat()]).toEqual([issuer.issuer, [audience]])
        expect(claims.exp).toBeGreaterThan(issuer.expected.now().getTime() / 1000)
        for (const text of [subject, clientId, claims.jti]) expect(text).not.toBe('')
        expect(scopes).toEqual(new Set((claims.scope ?? '').split(' ').filter(Boolean)))
        expect(actor?.subject).toBe(claims.act?.sub)
        expect(organizationId).toBe(claims.organization_id)
      }),
      { numRuns: 1000 },
    )
    expect(accepted).toBeGreaterThan(0)
  })
})
