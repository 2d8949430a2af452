/** Why a sign-in at a provider came to nothing: a kind for the caller, and a sentence for the audit log that may name what the provider said. */

/**
 * `denied`: the provider or the user refused; `response`: what came back is not the answer to this request (RFC 9207, RFC 6749
 * section 4.1.2); `code`: the code was not accepted; `token`: the ID token does not hold; `provider`: it could not be reached,
 * or gave no sound answer; `assertion`: what came back by SAML does not hold.
 */
export type FailureKind = 'denied' | 'response' | 'code' | 'token' | 'provider' | 'assertion'

export class FederationFailure extends Error {
  readonly kind: FailureKind
  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
