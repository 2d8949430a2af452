/**
 * API A: answers with a user's orders and what is owed for them. It does not know that; it asks the billing API on behalf
 * of the user who called it, with a token that it gets in exchange for theirs.
 */
import { accessTokenOf, fastifyGuard } from '@countersign/guard/fastify'
import fastify, { type FastifyInstance } from 'fastify'
import { type Application, requestToken } from './token-request.ts'

export interface OrdersOptions {
  /** Of this API, as an application that may exchange tokens. */
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
