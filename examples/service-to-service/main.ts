/** Runs the example against a server started with `npm start` in the root of the repository. */
import { readFileSync } from 'node:fs'
import type { ClientCredentials } from '@countersign/contract/client-token.ts'
import { billingApi } from './billing-api.ts'
import { ordersApi } from './orders-api.ts'
import { setUp, tokenOfUser } from './setup.ts'

const file = process.argv[2] ?? new URL('../../data/management.json', import.meta.url).pathname
const credentials: ClientCredentials = JSON.parse(readFileSync(file, 'utf8'))
const world = await setUp(credentials, String(Date.now()))
const { application, orders, billing, user } = world

const b = billingApi(`${credentials.baseUrl}/oidc`, billing, [application.clientId])
const a = ordersApi({
  application,
  audience: orders,
  billing: { audience: billing, url: await b.listen({ port: 0 }) },
})
const url = await a.listen({ port: 0 })

const response = await fetch(`${url}/orders`, { headers: { authorization: `Bearer ${await tokenOfUser(world)}` } })
console.log(`${user.name} (${user.id}) called the orders API, which asked the billing API on their behalf:`)
console.log(await response.json())
await Promise.all([a.close(), b.close()])
