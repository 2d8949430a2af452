/** Subject identifiers that receivers send (RFC 9493 section 3, Shared Signals Framework 1.0 section 3.3). */
import Type, { type Static } from 'typebox'
import type { SubjectIdentifier } from '../../domain/signals/event-types.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'

const Text = Type.Optional(Type.String({ minLength: 1, maxLength: 2048 }))
const Simple = Type.Object({
  format: Type.String({ minLength: 1, maxLength: 64 }),
  iss: Text,
  sub: Text,
  id: Text,
  email: Text,
  phone_number: Text,
})
/** Of any format: its members are looked at by that. */
export const Subject = Type.Object({ ...Simple.properties, user: Type.Optional(Simple) })
type SaidSubject = Static<typeof Subject>

const FORMATS = ['iss_sub', 'opaque', 'email', 'phone_number', 'complex']

const member = (value: string | undefined, name: string, format: string): string => {
  if (value === undefined) throw new OAuthError('invalid_request', `a subject of format ${format} needs ${name}`)
  return value
}

/** The identifier that a receiver sent. Throws OAuthError 400 for another format, and for one without its members. */
export const subjectIn = (said: SaidSubject): SubjectIdentifier => {
  const { format, iss, sub, id, email, phone_number, user } = said
  switch (format) {
    case 'iss_sub':
      return { format, iss: member(iss, 'iss', format), sub: member(sub, 'sub', format) }
    case 'opaque':
      return { format, id: member(id, 'id', format) }
    case 'email':
      return { format, email: member(email, 'email', format) }
    case 'phone_number':
      return { format, phone_number: member(phone_number, 'phone_number', format) }
    case 'complex':
      // the other members say of which of the user's sessions: the stream has all of them
      if (!user || user.format === 'complex')
        throw new OAuthError('invalid_request', 'a subject of format complex needs user')
      return subjectIn(user)
    default:
      throw new OAuthError('invalid_request', `the format of a subject is one of ${FORMATS.join(', ')}`)
  }
}
