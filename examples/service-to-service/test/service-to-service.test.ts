import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { billingApi } from '../billing-api.ts'
import { ordersApi } from '../orders-api.ts'
import { setUp, tokenOfUser } from '../setup.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

test('an API calls another on behalf of its user, and neither accepts the token for the other', async () => {
  const world = await setUp({ ...server.credentials, baseUrl: server.baseUrl }, 'test')
  const { application, orders, billing, user } = world
  const b = billingApi(server.issuer, billing, [application.clientId])
  const billingUrl = await b.listen({ port: 0 })
  const a = ordersApi({ application, audience: orders, billing: { audience: billing, url: billingUrl } })
  const url = await a.listen({ port: 0 })
  try {
    const token = await tokenOfUser(world)
    const call = (address: string, bearer: string) => fetch(address, { headers: { authorization: `Bearer ${bearer}` } })
    const answer = await call(`${url}/orders`, token)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { of: user.id, orders: ['apples', 'pears'], owed: { amount: 12, of: user.id, asked: application.clientId } },
    ])
    // the user's own token is not for the billing API
    expect((await call(`${billingUrl}/bills`, token)).status).toBe(401)
    // nor does the orders API accept one without its permission
    expect((await call(`${url}/orders`, await tokenOfUser(world, 'other'))).status).toBe(403)
    // a permission removed from the user is missing from the next exchange
    await world.api.suspendUser({ params: { userId: user.id }, body: { isSuspended: true } })
    expect((await call(`${url}/orders`, token)).status).toBe(500)
  } finally {
    await Promise.all([a.close(), b.close()])
  }
})
