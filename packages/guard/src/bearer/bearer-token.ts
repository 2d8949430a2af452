import { parseAuthorization } from './parse-authorization.ts'

/**
 * The bearer token of a request, only from its `Authorization` header (RFC 6750 §2.1). A form field and a query
 * parameter (§2.2, §2.3) are never read: addresses end up in logs. The token is not verified.
 *
 * Throws `credentials_missing` or `request_invalid`.
 */
export const bearerToken = (request: Pick<Request, 'headers'>): string =>
  parseAuthorization(request.headers.get('authorization'))
