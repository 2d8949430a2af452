/** `/api/docs`: the API reference as a page of our own, without scripts and without anything from elsewhere. */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { renderApiError } from '../http/api-errors.ts'
import type { Answer, Endpoint } from '../http/exchange.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { VERSION } from '../kernel/version.ts'
import type { Store } from '../storage/store.ts'
import { CONTENT_SECURITY_POLICY, docsPage } from './docs/page.ts'

const prepared = new WeakMap<Tenant, Answer>()

const pageOf = (tenant: Tenant): Answer => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'public, max-age=300',
  },
  body: Buffer.from(docsPage(API_ROUTES, tenant, VERSION)),
})

/** The endpoint of the page, which is made once for each tenant. */
export const docsEndpoint = ({ log }: Store): Endpoint => ({
  method: 'GET',
  path: '/api/docs',
  bodyLimit: 1024,
  renderError: renderApiError(log),
  async handle({ tenant }) {
    const answer = prepared.get(tenant) ?? pageOf(tenant)
    prepared.set(tenant, answer)
    return answer
  },
})
