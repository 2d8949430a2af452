/** HTTP Basic as OAuth uses it: RFC 6749 section 2.3.1, read strictly (SECURITY R-37). */
import { decodeUtf8, MalformedParameters } from '../http/parameters.ts'

export interface Credentials {
  readonly id: string
  readonly secret: string
}

/** id and secret are form-encoded before they are joined: `+` is a space, `%xx` a byte. */
const formDecode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** The credentials of an Authorization header; undefined for anything that is not valid Basic. */
export const parseBasic = (header: string): Credentials | undefined => {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1]
  if (!encoded) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== encoded.replace(/=+$/, '')) return undefined
  let text: string
  try {
    text = decodeUtf8(bytes)
  } catch (error) {
    if (error instanceof MalformedParameters) return undefined
    throw error
  }
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  const id = formDecode(text.slice(0, colon))
  const secret = formDecode(text.slice(colon + 1))
  if (!id || secret === undefined || /\0/.test(id + secret)) return undefined
  return { id, secret }
}
