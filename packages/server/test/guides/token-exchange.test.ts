/** The commands of the two guides about token exchange, run as they are printed. */
import { openGuide } from '@countersign/harness/guide.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** What each block printed. */
const follow = async (name: string): Promise<string[]> => {
  const guide = await openGuide(name, server)
  try {
    return await guide.all()
  } finally {
    await guide.close()
  }
}

test('an API calls another on behalf of a user, step by step', async () => {
  const printed = await follow('service-to-service')
  expect(printed).toHaveLength(5)
  const answer = JSON.parse(printed[3] ?? '')
  expect(answer).toMatchObject({ scope: 'read:bills', token_type: 'Bearer' })
  expect(decodeJwt(answer.access_token)).toMatchObject({ aud: 'https://billing.example/shop' })
  expect(JSON.parse(printed[4] ?? '')[0].payload).toMatchObject({
    result: 'Success',
    resource: 'https://billing.example/shop',
  })
})

test('a support desk acts as a user, step by step', async () => {
  const printed = await follow('impersonation')
  expect(printed).toHaveLength(4)
  const [first = '', second = ''] = (printed[2] ?? '').trim().split(/(?<=\})\s*(?=\{)/)
  expect(JSON.parse(first)).toMatchObject({ scope: 'read:orders' })
  expect(JSON.parse(second)).toMatchObject({ error: 'invalid_grant' })
  const entries = JSON.parse(printed[3] ?? '') as { payload: Record<string, unknown> }[]
  expect(entries.find(({ payload }) => payload.result === 'Success')?.payload).toMatchObject({
    subjectTokenContext: { ticket: 'T-1', reason: 'an order is missing' },
  })
})
