/** The values of a header of the request, by its name in lower case. */
export type HeaderValues = (name: string) => readonly string[]

/** How an API takes tokens that are bound to the client's certificate (RFC 8705 §3). */
export interface MutualTlsOptions {
  /** Whether tokens that are bound to no certificate are refused. `false` by default. */
  readonly required?: boolean
  /**
   * Finds the certificate that the client presented to the proxy in front: in DER or PEM, or `undefined` if it presented none. Read only
   * what the proxy itself writes and removes from what clients send. By default it is that of the TLS connection to this process, which
   * has to ask for one (`requestCert`); Web requests have none.
   */
  readonly certificate?: (headers: HeaderValues) => Uint8Array | string | undefined
}
