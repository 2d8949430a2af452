/**
 * A quoted-string (RFC 9110 §5.6.4) for any input: quotes and backslashes are escaped, and everything that is not
 * printable ASCII becomes `?`, so that no value can end the string, start a header or be refused by the platform's
 * Headers.
 */
export const quotedString = (value: string): string =>
  `"${value.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`
