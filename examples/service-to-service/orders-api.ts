/**
 * API A: returns a user's orders and the amount owed for them. It does not know the amount; it asks the billing API on
 * behalf of the user, with a token that it receives in exchange for the user's own.
 */
import { accessTokenOf, fastifyGuard } from '@countersign/guard/fastify'
import fastify, { type FastifyInstance } from 'fastify'
import { type Application, requestToken } from './token-request.ts'

export interface OrdersOptions {
  /** The credentials of this API as an application that may exchange tokens. */
  readonly application: Application
  readonly audience: string
  readonly billing: { readonly audience: string; readonly url: string }
}

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

export const ordersApi = ({ application, audience, billing }: OrdersOptions): FastifyInstance => {
  const issuer = `${application.baseUrl}/oidc`
  const guard = fastifyGuard({ issuer, audience })
  const app = fastify()

  app.get('/orders', { onRequest: guard('read:orders') }, async (request) => {
    const { token, subject } = accessTokenOf(request)
    const delegated = await requestToken(application, {
      grant_type: EXCHANGE,
      subject_token: token,
      subject_token_type: ACCESS_TOKEN,
      resource: billing.audience,
      scope: 'read:bills',
    })
    const bills = await fetch(`${billing.url}/bills`, {
      headers: { authorization: `Bearer ${delegated.access_token}` },
    })
    return {
      of: subject,
      orders: ['apples', 'pears'],
      owed: bills.ok ? await bills.json() : `refused (${bills.status})`,
    }
  })
  return app
}
