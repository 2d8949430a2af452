/** What the address of a client's document may be (OAuth Client ID Metadata Document, section "Client Identifier URL"). */
import { objectionToHttpUri } from '../applications/redirect-uris.ts'

const LONGEST = 2048

/** Why no client has this address for an id; undefined if one can. It is compared as it is written, and never normalized. */
export const objectionToDocumentAddress = (id: string): string | undefined => {
  if (!id.startsWith('https://')) return 'is not an https address'
  if (id.length > LONGEST) return `is longer than ${LONGEST} characters`
  const objection = objectionToHttpUri(id)
  if (objection !== undefined) return objection
  const [, path] = /^https:\/\/[^/?]+(\/[^?]*)?/.exec(id) ?? []
  if (path === undefined) return 'has no path'
  if (id.includes('?')) return 'has a query'
  // path segments of dots, the usual port, capitals in the host: two addresses would lead to one document
  return new URL(id).href === id ? undefined : 'is not written as it is asked for'
}

/** The host of the address, with its port unless that is the usual one: what a client with a document is called. */
export const hostOfDocument = (id: string): string => new URL(id).host
