/**
 * The payload of an audit entry, and the part of it that is stored: what the columns say is not stored again. Entries are
 * the rows of which callers who prove nothing cause most (SECURITY R-35).
 */
import type { Actor } from '../kernel/caller.ts'
import { clientReference } from '../kernel/document-ids.ts'

/** The columns of an entry that say what its payload says. */
interface Columns {
  readonly key: string
  readonly user_id: string | null
  readonly application_id: string | null
}

/** An actor whose id a column has is stored as its type, and the server itself not at all. */
const idOf = (type: string, { user_id, application_id }: Omit<Columns, 'key'>): string | null =>
  type === 'application' ? application_id : user_id

/** What is stored of an actor; one without an id is a client that is not authenticated. */
export const storedActor = (actor: Actor, columns: Omit<Columns, 'key'>): Actor | Actor['type'] | undefined => {
  const { type, id } = actor
  if (type === 'system') return id === undefined ? undefined : actor
  return (id ?? null) === idOf(type, columns) ? type : actor
}

/** The facts that no column has. */
export const storedFacts = ({
  applicationId: _application,
  userId: _user,
  ...others
}: Readonly<Record<string, unknown>>): object => others

const wholeActor = (type: string, columns: Columns): object => {
  const id = idOf(type, columns)
  return id === null ? { type } : { type, id }
}

/** The whole payload, of entries of earlier versions too, which stored all of it. */
export const wholePayload = ({ payload, ...columns }: Columns & { readonly payload: unknown }): object => {
  const { key, user_id: userId, application_id: applicationId } = columns
  const { actor = { type: 'system' }, ...others } = payload as { readonly actor?: unknown }
  return {
    key,
    actor: typeof actor === 'string' ? wholeActor(actor, columns) : actor,
    ...(applicationId === null ? {} : clientReference(applicationId)),
    ...(userId === null ? {} : { userId }),
    ...others,
  }
}
