import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ordersApi } from '../orders-api.ts'
import { PASSWORD, setUp } from '../setup.ts'
import { signIn } from '../sign-in.ts'
import { supportDesk } from '../support-desk.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

test('a support engineer acts as a user for a ticket, and the API and the audit log record it', async () => {
  const credentials = { ...server.credentials, baseUrl: server.baseUrl }
  const { audience, desk, browserClientId, customer, engineer } = await setUp(credentials, 'test')
  const journal: string[] = []
  const orders = ordersApi(server.issuer, audience, journal)
  const url = await orders.listen({ port: 0 })
  try {
    const engineerToken = await signIn(server.baseUrl, browserClientId, engineer.username, PASSWORD)
    const request = { userId: customer.id, ticket: 'T-1', engineerToken }
    const token = await supportDesk(credentials, desk, audience, new Set([engineer.id]))(request)
    const answer = await fetch(`${url}/orders`, { headers: { authorization: `Bearer ${token}` } })
    expect([answer.status, await answer.json()]).toEqual([200, { of: customer.id, orders: ['apples', 'pears'] }])
    expect(journal).toEqual([`${engineer.id} as ${customer.id}, ticket T-1`])
    const { body: logs } = await server.api('GET', '/logs?logKey=ExchangeTokenBy.TokenExchange')
    expect(logs[0].payload).toMatchObject({
      userId: customer.id,
      actorUserId: engineer.id,
      subjectTokenContext: { ticket: 'T-1', engineer: engineer.id },
    })
    await expect(supportDesk(credentials, desk, audience, new Set())(request)).rejects.toThrow('may not act')
  } finally {
    await orders.close()
  }
})
