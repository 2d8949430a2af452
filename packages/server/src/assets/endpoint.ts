/**
 * Serves uploaded images to anyone who knows their address: only as images, and cached forever, because files never
 * change.
 */
import { renderApiError } from '../http/api-errors.ts'
import { ANONYMOUS_BODY_LIMIT, type Endpoint } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import { ASSET_TYPES } from '../kernel/assets.ts'
import type { Store } from '../storage/store.ts'

/** Names created by the server: nothing that could lead out of the directory. */
const NAME = /^[0-9a-z]{21}\.(webp|png|jpg)$/

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  // even a file that a browser mistook for a document could do nothing
  'content-security-policy': "default-src 'none'; sandbox",
  // applications show avatars on their own pages
  'cross-origin-resource-policy': 'cross-origin',
}

/** Whether the client has it already (RFC 9110 section 13.1.2). */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === '*' || each === etag)

export const assetEndpoints = ({ assets, log }: Store): Endpoint[] => [
  {
    method: 'GET',
    path: '/assets/:tenant/:name',
    bodyLimit: ANONYMOUS_BODY_LIMIT,
    async handle({ tenant, params, headers }) {
      const { name = '' } = params
      const [, extension] = NAME.exec(name) ?? []
      const { files } = assets
      if (params.tenant !== tenant.id || !extension || !files) throw new ApiError('request.not_found')
      const path = `${tenant.id}/${name}`
      const own = { ...HEADERS, etag: `"${name}"` }
      if (isKnown(headers['if-none-match'], own.etag) && (await files.has(path))) return { status: 304, headers: own }
      const file = await files.get(path)
      if (!file) throw new ApiError('request.not_found')
      const { bytes, content } = file
      const type = ASSET_TYPES[extension as keyof typeof ASSET_TYPES]
      return {
        status: 200,
        headers: { ...own, 'content-type': type, 'content-length': String(bytes) },
        body: content,
      }
    },
    renderError: renderApiError(log),
  },
]
