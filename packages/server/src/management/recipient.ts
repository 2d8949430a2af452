/** The recipient of the message that a request sends. */
import type { Identifier } from '../domain/credentials/identifiers.ts'
import { ApiError } from '../kernel/api-error.ts'

interface Recipients {
  readonly email?: string
  readonly phone?: string
}

const missing = (what: string) => new ApiError('guard.invalid_input', { reason: `the body must have ${what}` })

/** The one recipient of a request. Throws 400 for none and for two. */
export const recipientIn = ({ email, phone }: Recipients): Identifier => {
  if (email !== undefined && phone === undefined) return { type: 'email', value: email }
  if (phone !== undefined && email === undefined) return { type: 'phone', value: phone }
  throw missing('either email or phone')
}

/** The recipient for a connector of the type; the other is ignored. Throws 400 if it is missing. */
export const recipientOf = (type: 'Email' | 'Sms', { email, phone }: Recipients): Identifier => {
  const [name, value] = type === 'Email' ? (['email', email] as const) : (['phone', phone] as const)
  if (value === undefined) throw missing(name)
  return { type: name, value }
}
