/** The machine: obtains a token for the API and calls it. */
import * as client from 'openid-client'
import { discover, type Machine } from './setup.ts'

/** @param audience the indicator of the API, which the token will be for */
export const callOrders = async (baseUrl: string, machine: Machine, audience: string, url: string) => {
  const configuration = await discover(baseUrl, machine)
  const tokens = await client.clientCredentialsGrant(configuration, {
    resource: audience,
    scope: 'read:orders write:orders',
  })
  const response = await fetch(url, { headers: { authorization: `Bearer ${tokens.access_token}` } })
  return { tokens, status: response.status, body: await response.json() }
}
