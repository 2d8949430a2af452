/** Runs the example against a server started with `npm start` in the root of the repository. */
import { readFileSync } from 'node:fs'
import { ordersApi } from './api.ts'
import { callOrders } from './machine.ts'
import { type Management, setUp } from './setup.ts'

const file = process.argv[2] ?? new URL('../../data/management.json', import.meta.url).pathname
const management: Management = JSON.parse(readFileSync(file, 'utf8'))
const audience = `https://orders.example/${Date.now()}`

const api = ordersApi(`${management.baseUrl}/oidc`, audience).listen(0, '127.0.0.1', async () => {
  const address = api.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const machine = await setUp(management, audience)
  console.log(`The API ${audience} is registered, and application ${machine.clientId} may read it.`)
  const { tokens, status, body } = await callOrders(
    management.baseUrl,
    machine,
    audience,
    `http://127.0.0.1:${port}/orders`,
  )
  console.log(`Asked for read:orders and write:orders; granted: ${tokens.scope}`)
  console.log(`The API answered ${status}:`, body)
  api.close()
})
