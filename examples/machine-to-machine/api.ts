/** The protected API: serves callers that have a token for it with the permission `read:orders`. */
import { createServer, type Server } from 'node:http'
import { accessTokenVerifier, GuardError, requireScopes, toResponse } from '@countersign/guard'

/** @param issuer the `iss` of the tokens; @param audience the indicator of this API */
export const ordersApi = (issuer: string, audience: string): Server => {
  const verify = accessTokenVerifier({ issuer, audience })

  const answer = async (request: Request): Promise<Response> => {
    try {
      const token = await verify(request)
      requireScopes(token, 'read:orders')
      return Response.json({ orders: ['apples', 'pears'], for: token.clientId })
    } catch (error) {
      if (error instanceof GuardError) return toResponse(error)
      throw error
    }
  }

  return createServer((incoming, outgoing) => {
    const headers = new Headers()
    for (const [name, value] of Object.entries(incoming.headers))
      if (typeof value === 'string') headers.set(name, value)
    answer(new Request(`http://api.invalid${incoming.url}`, { headers })).then(
      async (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
      },
      () => outgoing.writeHead(500).end(),
    )
  })
}
