/** Runs the example against a server started with `npm start` in the root of the repository. */
import { readFileSync } from 'node:fs'
import type { ClientCredentials } from '@countersign/contract/client-token.ts'
import { ordersApi } from './orders-api.ts'
import { PASSWORD, setUp } from './setup.ts'
import { signIn } from './sign-in.ts'
import { supportDesk } from './support-desk.ts'

const file = process.argv[2] ?? new URL('../../data/management.json', import.meta.url).pathname
const credentials: ClientCredentials = JSON.parse(readFileSync(file, 'utf8'))
const { baseUrl } = credentials
const { audience, desk, browserClientId, customer, engineer } = await setUp(credentials, String(Date.now()))
const journal: string[] = []
const orders = ordersApi(`${baseUrl}/oidc`, audience, journal)
const url = await orders.listen({ port: 0 })

const engineerToken = await signIn(baseUrl, browserClientId, engineer.username, PASSWORD)
const actAs = supportDesk(credentials, desk, audience, new Set([engineer.id]))
const token = await actAs({ userId: customer.id, ticket: 'T-1', engineerToken })
const response = await fetch(`${url}/orders`, { headers: { authorization: `Bearer ${token}` } })
console.log('The API answered the engineer as if she were the customer:', await response.json())
console.log('It knows better:', journal)
await orders.close()
