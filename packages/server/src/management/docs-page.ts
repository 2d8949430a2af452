/** `/api/docs`: placeholder until the page is written. */
import { renderApiError } from '../http/api-errors.ts'
import type { Endpoint } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'

export const docsEndpoint = ({ log }: Store): Endpoint => ({
  method: 'GET',
  path: '/api/docs',
  bodyLimit: 1024,
  renderError: renderApiError(log),
  handle: async () => ({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<!doctype html><title>API</title>',
  }),
})
