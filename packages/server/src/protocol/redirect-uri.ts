/** Comparing redirect URIs (DECISIONS C3, RFC 9700 section 2.1): byte for byte, but for the port of a native loopback. */

/** `http://127.0.0.1:port/path` or `http://[::1]:port/path` without its port; undefined for anything else. */
const loopbackWithoutPort = (uri: string): string | undefined => {
  const [, host, rest] = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/[\x21-\x7e]*)?$/.exec(uri) ?? []
  return host && !uri.includes('@') && !uri.includes('\\') ? `${host}${rest ?? ''}` : undefined
}

/**
 * Whether a requested URI is one of the registered ones.
 * @param isNative the port of a loopback IP may differ for applications of type Native (RFC 8252 section 7.3)
 */
export const isRegisteredRedirectUri = (
  requested: string,
  registered: readonly string[],
  isNative: boolean,
): boolean => {
  if (registered.includes(requested)) return true
  if (!isNative) return false
  const wanted = loopbackWithoutPort(requested)
  return wanted !== undefined && registered.some((uri) => loopbackWithoutPort(uri) === wanted)
}
