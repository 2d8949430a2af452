/** `/api/docs`: the API reference as pages of our own, without scripts and without anything from elsewhere. */
import { ACCOUNT_ROUTES, API_ROUTES } from '@countersign/contract/api.ts'
import { renderApiError } from '../http/api-errors.ts'
import type { Answer, Endpoint } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { VERSION } from '../kernel/version.ts'
import type { Store } from '../storage/store.ts'
import { CONTENT_SECURITY_POLICY, overviewPage, sectionPage } from './page.ts'

const DOCUMENTED = [...API_ROUTES, ...ACCOUNT_ROUTES]

const prepared = new WeakMap<Tenant, Map<string, Answer>>()

const pageOf = (body: string): Answer => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'referrer-policy': 'no-referrer',
    'cache-control': 'public, max-age=300',
  },
  body: Buffer.from(body),
})

/** The page of a group, or the first page; made once for each tenant. Throws 404. */
const page = (tenant: Tenant, section: string | undefined): Answer => {
  const pages = prepared.get(tenant) ?? new Map<string, Answer>()
  prepared.set(tenant, pages)
  const known = pages.get(section ?? '')
  if (known) return known
  const text =
    section === undefined
      ? overviewPage(DOCUMENTED, tenant, VERSION)
      : sectionPage(DOCUMENTED, tenant, VERSION, section)
  if (text === undefined) throw new ApiError('request.not_found')
  const made = pageOf(text)
  pages.set(section ?? '', made)
  return made
}

/** The endpoints of the pages. */
export const apiReferenceEndpoints = ({ log }: Store): Endpoint[] =>
  (['/api/docs', '/api/docs/:section'] as const).map((path) => ({
    method: 'GET',
    path,
    bodyLimit: 1024,
    renderError: renderApiError(log),
    handle: async ({ tenant, params }) => page(tenant, params.section),
  }))
