/** What tokens, codes and families of refresh tokens are bound to (RFC 7800), as a claim and as columns. */

/** The value of `cnf`: whoever uses the token proves to have each of what it names. */
export interface Confirmation {
  /** The thumbprint of the key of a DPoP proof (RFC 9449 section 6). */
  readonly jkt?: string
  /** The thumbprint of a client certificate (RFC 8705 section 3.1). */
  readonly 'x5t#S256'?: string
}

/** The same in a row; null: not bound in this way. */
export interface StoredConfirmation {
  readonly jkt: string | null
  readonly x5t: string | null
}

/** As it is stored; undefined: bound to nothing. */
export const storedConfirmation = (confirmation: Confirmation | undefined): StoredConfirmation => ({
  jkt: confirmation?.jkt ?? null,
  x5t: confirmation?.['x5t#S256'] ?? null,
})

/** As a claim; undefined: bound to nothing. */
export const confirmationOf = ({ jkt, x5t }: StoredConfirmation): Confirmation | undefined =>
  jkt === null && x5t === null
    ? undefined
    : { ...(jkt === null ? {} : { jkt }), ...(x5t === null ? {} : { 'x5t#S256': x5t }) }
