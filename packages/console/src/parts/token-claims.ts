/** What a token says, read without checking it: the server made it. */

/** The claims of a token; undefined for one that is opaque. */
export const claimsOf = (token: string): Readonly<Record<string, unknown>> | undefined => {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
  } catch {
    return undefined
  }
}
