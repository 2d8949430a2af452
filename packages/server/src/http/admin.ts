/** The second port: metrics and readiness for the operator (DECISIONS A5). Not for the public. */

import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { renderApiError } from './api-errors.ts'
import { type Endpoint, TransportError } from './exchange.ts'

export const adminEndpoints = (
  log: Log,
  metrics: Metrics,
  readiness: () => Promise<string | undefined>,
): Endpoint[] => {
  const endpoint = (path: string, handle: Endpoint['handle']): Endpoint => ({
    method: 'GET',
    path,
    bodyLimit: 1024,
    anyHost: true,
    handle,
    renderError: renderApiError(log),
  })
  return [
    endpoint('/metrics', async () => ({
      status: 200,
      headers: { 'content-type': metrics.registry.contentType },
      body: await metrics.registry.metrics(),
    })),
    endpoint('/status', async () => {
      const reason = await readiness()
      if (reason) throw new TransportError('unavailable', reason)
      return { status: 204 }
    }),
  ]
}
