import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expressGuard } from '../src/adapters/express.ts'
import { type RequiredAuthentication, requireAuthentication, toResponse, verifyAccessToken } from '../src/index.ts'
import { startIssuer } from './issuer.ts'
import { parseChallenge } from './parse-challenge.ts'
import { refusedWith } from './refused-with.ts'

const now = new Date('2030-01-01T00:00:00Z')
const clock = { now: () => now }
const signedIn = (acr: string | undefined, secondsAgo: number | undefined) => ({
  acr,
  authenticatedAt: secondsAgo === undefined ? undefined : new Date(now.getTime() - secondsAgo * 1000),
})

describe('how a user signed in (RFC 9470)', () => {
  test('is in the verified token, and undefined where no one did', async () => {
    const issuer = await startIssuer()
    const token = await verifyAccessToken(await issuer.sign({ acr: 'gold', auth_time: 1700000000 }), issuer.expected)
    expect(token).toMatchObject({ acr: 'gold', authenticatedAt: new Date('2023-11-14T22:13:20Z') })
    const machine = await verifyAccessToken(await issuer.sign(), issuer.expected)
    expect([machine.acr, machine.authenticatedAt]).toEqual([undefined, undefined])
    for (const claims of [{ acr: 1 }, { acr: '' }, { acr: ['gold'] }, { auth_time: '1700000000' }, { auth_time: null }])
      await refusedWith('token_claim_invalid', verifyAccessToken(await issuer.sign(claims), issuer.expected))
  })

  test.each<[acr: string | undefined, secondsAgo: number | undefined, required: RequiredAuthentication]>([
    ['gold', undefined, { acrValues: ['gold'] }],
    ['gold', undefined, { acrValues: ['silver', 'gold'] }],
    [undefined, 60, { maxAgeSeconds: 60 }],
    [undefined, 60.9, { maxAgeSeconds: 60 }],
    [undefined, 0, { maxAgeSeconds: 0 }],
    ['gold', 59, { acrValues: ['gold'], maxAgeSeconds: 60 }],
  ])('%j, %j s ago, is enough for %j', (acr, secondsAgo, required) => {
    expect(requireAuthentication(signedIn(acr, secondsAgo), required, clock)).toBeUndefined()
  })

  test.each<[acr: string | undefined, secondsAgo: number | undefined, required: RequiredAuthentication]>([
    [undefined, 0, { acrValues: ['gold'] }],
    ['Gold', 0, { acrValues: ['gold'] }],
    ['gold silver', 0, { acrValues: ['gold', 'silver'] }],
    ['gol', 0, { acrValues: ['gold'] }],
    ['gold', 61, { maxAgeSeconds: 60 }],
    ['gold', 1, { maxAgeSeconds: 0 }],
    ['gold', undefined, { maxAgeSeconds: 60 }],
    ['gold', 61, { acrValues: ['gold'], maxAgeSeconds: 60 }],
    ['silver', 0, { acrValues: ['gold'], maxAgeSeconds: 60 }],
  ])('%j, %j s ago, is not enough for %j', async (acr, secondsAgo, required) => {
    const attempt = () => requireAuthentication(signedIn(acr, secondsAgo), required, clock)
    const error = await refusedWith('authentication_insufficient', attempt)
    expect(error.requiredAuthentication).toEqual(required)
  })

  test('is measured with the tolerance of the clock, and by that of the system where no other is given', async () => {
    const minute = { maxAgeSeconds: 60 }
    expect(requireAuthentication(signedIn('x', 65), minute, { ...clock, clockToleranceSeconds: 5 })).toBeUndefined()
    const late = () => requireAuthentication(signedIn('x', 66), minute, { ...clock, clockToleranceSeconds: 5 })
    await refusedWith('authentication_insufficient', late)
    const recent = { acr: 'x', authenticatedAt: new Date(Date.now() - 1000) }
    expect(requireAuthentication(recent, minute)).toBeUndefined()
    const old = { acr: 'x', authenticatedAt: new Date(Date.now() - 62_000) }
    await refusedWith('authentication_insufficient', () => requireAuthentication(old, minute))
  })

  test('mistakes in what is required are found when the guard is made', async () => {
    const guard = expressGuard({ issuer: 'https://id.example', audience: 'x', jwks: { keys: [] } })
    for (const required of [
      {},
      { acrValues: [] },
      { acrValues: ['gold silver'] },
      { acrValues: ['"'] },
      { maxAgeSeconds: -1 },
      { maxAgeSeconds: 1.5 },
      { maxAgeSeconds: Number.NaN },
    ])
      await refusedWith('configuration_invalid', () => guard('read:orders', required))
  })

  test('every challenge says all of what is required, and can be read', async () => {
    const value = fc.stringMatching(/^[\x21\x23-\x5b\x5d-\x7e]{1,20}$/)
    const required = fc.record({ acrValues: fc.array(value, { minLength: 1, maxLength: 4 }), maxAgeSeconds: fc.nat() })
    await fc.assert(
      fc.asyncProperty(required, async (asked) => {
        const attempt = () => requireAuthentication(signedIn(undefined, undefined), asked, clock)
        const response = toResponse(await refusedWith('authentication_insufficient', attempt))
        expect(response.status).toBe(401)
        const { scheme, attributes } = parseChallenge(response.headers.get('www-authenticate') ?? '')
        expect([scheme, attributes]).toMatchObject([
          'Bearer',
          {
            error: 'insufficient_user_authentication',
            acr_values: asked.acrValues.join(' '),
            max_age: String(asked.maxAgeSeconds),
          },
        ])
      }),
    )
  })
})
