// Everything that can go wrong, defined once: the stable code, the status of the response, the error code of RFC
// 6750 §3.1 (or of the RFC that adds one) for WWW-Authenticate, and the sentence for the client. Sentences are fixed: they contain nothing of a
// token, and only characters that RFC 6750 §3 allows in error_description.

interface Answer {
  readonly status: 400 | 401 | 403 | 500 | 503
  readonly error?:
    | 'invalid_request'
    | 'invalid_token'
    | 'insufficient_scope'
    | 'insufficient_user_authentication'
    | 'invalid_dpop_proof'
    | 'use_dpop_nonce'
  /** Whether the challenge is one of RFC 9449. */
  readonly isOfProof?: true
  readonly sentence: string
}

const invalidToken = (sentence: string) => ({ status: 401, error: 'invalid_token', sentence }) as const
const invalidProof = (sentence: string) => ({ status: 401, error: 'invalid_dpop_proof', sentence }) as const

export const answers = {
  credentials_missing: { status: 401, sentence: 'An access token is required' },
  request_invalid: { status: 400, error: 'invalid_request', sentence: 'The Authorization header is malformed' },
  token_malformed: invalidToken('The access token is malformed'),
  token_header_refused: invalidToken('The access token has a header parameter that is not accepted'),
  token_algorithm_refused: invalidToken('The access token is signed with an algorithm that is not accepted'),
  token_type_refused: invalidToken('The token is not an access token'),
  token_key_unknown: invalidToken('The access token is signed with an unknown key'),
  token_signature_invalid: invalidToken('The signature of the access token is invalid'),
  token_claim_invalid: invalidToken('The access token lacks a claim or has an invalid one'),
  token_issuer_mismatch: invalidToken('The access token is from another issuer'),
  token_audience_mismatch: invalidToken('The access token is for another audience'),
  token_expired: invalidToken('The access token expired'),
  token_not_yet_valid: invalidToken('The access token is not valid yet'),
  token_revoked: invalidToken('The access token was revoked'),
  client_not_allowed: { status: 403, sentence: 'The client may not call this API' },
  scope_missing: { status: 403, error: 'insufficient_scope', sentence: 'The access token lacks a required scope' },
  authorization_detail_missing: {
    ...{ status: 403, error: 'insufficient_scope' },
    sentence: 'The access token does not allow this in its authorization_details',
  },
  authentication_insufficient: {
    ...{ status: 401, error: 'insufficient_user_authentication' },
    sentence: 'The user has to sign in again, more recently or more strongly',
  },
  token_bound: { ...invalidToken('The access token is bound to a key and needs a proof of it'), isOfProof: true },
  token_not_bound: { ...invalidToken('The access token is not bound to a key'), isOfProof: true },
  certificate_mismatch: invalidToken('The access token is bound to another client certificate'),
  certificate_missing: invalidToken('The access token is not bound to a client certificate'),
  proof_invalid: { ...invalidProof('The DPoP proof is invalid'), isOfProof: true },
  proof_used: { ...invalidProof('The DPoP proof was used before'), isOfProof: true },
  proof_nonce_required: {
    ...{ status: 401, error: 'use_dpop_nonce', isOfProof: true },
    sentence: 'The DPoP proof needs the nonce of the header DPoP-Nonce',
  },
  keys_unavailable: { status: 503, sentence: 'The keys of the issuer are unavailable' },
  replay_store_unavailable: { status: 503, sentence: 'Used proofs cannot be remembered' },
  revocations_unavailable: { status: 503, sentence: 'It is unknown which access tokens were revoked' },
  configuration_invalid: { status: 500, sentence: 'The API is misconfigured' },
} as const satisfies Record<string, Answer>

/** The `code` of a {@link GuardError}. Codes are stable: new ones may be added, none changes its meaning. */
export type GuardErrorCode = keyof typeof answers

/** The response to a code. */
export const answerOf = (code: GuardErrorCode): Answer => answers[code]
