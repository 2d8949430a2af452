/** Weak ETags of resources (RFC 7644 section 3.14) and the conditions of requests about them (RFC 9110 section 13). */
import type { Exchange } from '../http/exchange.ts'
import { ScimError } from './errors.ts'

/** @param version of the row @param state what else the resource shows */
export const etagOf = (version: number, state = ''): string => `W/"${version}${state}"`

const listed = (header: string): string[] => header.split(',').map((one) => one.trim().replace(/^W\//, ''))

const names = (header: string, etag: string): boolean =>
  header.trim() === '*' || listed(header).includes(etag.replace(/^W\//, ''))

/**
 * Throws 412 unless the resource has the version that the request expects. @param expected If-Match, or `version` in
 * Bulk
 */
export const assertMatches = (expected: string | undefined, etag: string): void => {
  if (expected !== undefined && !names(expected, etag))
    throw new ScimError(412, undefined, `The resource has changed; its version is ${etag}.`)
}

/** Whether the client has the current version of the resource. */
export const isKnown = ({ headers }: Exchange, etag: string): boolean => {
  const known = headers['if-none-match']
  return known !== undefined && names(known, etag)
}
