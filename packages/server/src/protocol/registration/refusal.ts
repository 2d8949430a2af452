/** The errors of client registration (RFC 7591 section 3.2.2). */
import { ApiError } from '../../kernel/api-error.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { inWireNames } from './members.ts'

/** RFC 6749 section 5.2 permits these characters in descriptions, and no others. */
const printable = (text: string): string => text.replace(/"/g, "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')

export const invalidMetadata = (description: string): OAuthError =>
  new OAuthError('invalid_client_metadata', printable(description))

export const invalidRedirectUri = (description: string): OAuthError =>
  new OAuthError('invalid_redirect_uri', printable(description))

/** Whether what was refused is a redirect URI. */
const isAboutRedirects = ({ data }: ApiError): boolean => {
  const [first] = Array.isArray(data?.issues) ? (data.issues as { readonly path?: unknown }[]) : []
  return typeof first?.path === 'string' && first.path.includes('/redirectUris')
}

/** A refusal by the rules of applications, which hold however one is registered, as clients know it; any other error as it is. */
export const asRegistrationError = (error: unknown): unknown => {
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) return error
  const reason = typeof error.data?.reason === 'string' ? error.data.reason : error.sentence
  const refuse = isAboutRedirects(error) ? invalidRedirectUri : invalidMetadata
  return refuse(inWireNames(reason))
}
