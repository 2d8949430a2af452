/** The refusal of a caller who has not what an access token is bound to. */
import type { TokenScheme } from '../../kernel/challenge.ts'

/** An access token that was presented by a caller who has not what it is bound to, or not as the kind of token that it is. */
export class TokenNotHeld extends Error {
  /** The scheme of the challenge that it is answered with (RFC 9449 section 7.1, RFC 8705 section 3). */
  readonly scheme: TokenScheme
  constructor(message: string, scheme: TokenScheme) {
    super(message)
    this.scheme = scheme
  }
}
