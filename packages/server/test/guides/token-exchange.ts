/** The commands of the two guides about token exchange. */
import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

/** An API calls another on behalf of a user. */
export const serviceToService: Walk = (place) =>
  withGuide(place, 'service-to-service', async (guide) => {
    const printed = await guide.all()
    expect(printed).toHaveLength(7)
    const answer = JSON.parse(printed[3] ?? '')
    expect(answer).toMatchObject({ scope: 'read:bills', token_type: 'Bearer' })
    expect(decodeJwt(answer.access_token)).toMatchObject({ aud: 'https://billing.example/shop' })
    expect(printed[4]?.trim().split('\n')).toEqual(['orders read bills', '60'])
    expect(JSON.parse(printed[5] ?? '')).toMatchObject({
      refusal: null,
      expiresIn: 60,
      scopes: [{ name: 'read:bills', isGranted: true }],
    })
    const entries = JSON.parse(printed[6] ?? '') as { payload: Record<string, unknown> }[]
    for (const { payload } of entries.slice(0, 2))
      expect(payload).toMatchObject({ result: 'Success', resource: 'https://billing.example/shop' })
    expect(entries.map(({ payload }) => payload.exchangePolicy)).toContain('orders read bills')
  })

/** A support desk acts as a user. */
export const impersonation: Walk = (place) =>
  withGuide(place, 'impersonation', async (guide) => {
    const printed = await guide.all()
    expect(printed).toHaveLength(5)
    const [first = '', second = ''] = (printed[2] ?? '').trim().split(/(?<=\})\s*(?=\{)/)
    expect(JSON.parse(first)).toMatchObject({ scope: 'read:orders' })
    expect(JSON.parse(second)).toMatchObject({ error: 'invalid_grant' })
    const entries = JSON.parse(printed[3] ?? '') as { payload: Record<string, unknown> }[]
    expect(entries.find(({ payload }) => payload.result === 'Success')?.payload).toMatchObject({
      subjectTokenContext: { ticket: 'T-1', reason: 'an order is missing' },
    })
    const [token = '', ...listed] = (printed[4] ?? '').trim().split('\n')
    expect(decodeJwt(token).act).toBeDefined()
    expect(JSON.parse(listed.join('\n'))).toMatchObject([{ reason: 'T-1: an order is missing', scope: 'read:orders' }])
  })
