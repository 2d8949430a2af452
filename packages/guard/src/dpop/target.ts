// RFC 3986 §6.2.2: escapes of unreserved characters, and the case of escapes, mean nothing.
const normalPath = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase()
  })

const normal = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return url.origin + normalPath(url.pathname)
}

/** Whether `htu` names the address, after normalization and without query and fragment (RFC 9449 §4.3). */
export const isTarget = (htu: unknown, address: string): boolean =>
  typeof htu === 'string' && normal(htu) !== undefined && normal(htu) === normal(address)
