import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ordersApi } from '../api.ts'
import { callOrders } from '../machine.ts'
import { setUp } from '../setup.ts'

const audience = 'https://orders.example/api'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

test('a machine gets a token for a registered API, and the API accepts it with the permissions of its role', async () => {
  const api = ordersApi(server.issuer, audience).listen(0, '127.0.0.1')
  await once(api, 'listening')
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/orders`
  try {
    const machine = await setUp({ baseUrl: server.baseUrl, ...server.credentials }, audience)
    const { tokens, status, body } = await callOrders(server.baseUrl, machine, audience, url)
    expect(tokens.scope).toBe('read:orders')
    expect(status).toBe(200)
    expect(body).toEqual({ orders: ['apples', 'pears'], for: machine.clientId })

    const without = await fetch(url)
    expect(without.status).toBe(401)
    expect(without.headers.get('www-authenticate')).toMatch(/^Bearer/)
  } finally {
    api.close()
  }
})
