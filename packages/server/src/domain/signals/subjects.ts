/** Users whom a receiver adds to its stream and removes from it (Shared Signals Framework section 8.1.3), by the identifiers of RFC 9493. */
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { userOfSubject } from '../applications/subjects.ts'
import { identifierKeys } from '../credentials/identifiers.ts'
import type { SubjectIdentifier } from './event-types.ts'
import { type Receiver, streamOf } from './rows.ts'
import { noStream } from './streams.ts'

/** The user of a subject, if there is one whom the receiver may mean: by `sub` only as it knows them. */
const findUser = async (
  unit: Unit,
  tenant: Tenant,
  receiver: Receiver,
  subject: SubjectIdentifier,
): Promise<string | undefined> => {
  const { tx, vault } = unit
  const bySub = (sub: string) => {
    const id = userOfSubject({ vault }, tenant, receiver.client, sub)
    return id === undefined ? undefined : (['id', [id]] as const)
  }
  const by = () => {
    switch (subject.format) {
      case 'iss_sub':
        return subject.iss === tenant.issuer ? bySub(subject.sub) : undefined
      case 'opaque':
        return bySub(subject.id)
      case 'email':
        return ['email_key', identifierKeys({ type: 'email', value: subject.email })] as const
      case 'phone_number':
        return ['primary_phone', identifierKeys({ type: 'phone', value: subject.phone_number })] as const
      case 'complex':
        return undefined
    }
  }
  if (subject.format === 'complex') return findUser(unit, tenant, receiver, subject.user)
  const found = by()
  if (!found || found[1].length === 0) return undefined
  const [column, values] = found
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where(inTenant(tenant.id))
    .where(column, 'in', values)
    .executeTakeFirst()
  return row?.id
}

/**
 * Adds a user to a stream or removes them. Throws 404 for another stream; a subject that is nobody's changes nothing, and the answer does not say
 * so: a receiver must not learn who has an account (section 8.1.3.2).
 */
export const setSubject = operation(
  [],
  async (
    unit,
    receiver: Receiver,
    streamId: string,
    subject: SubjectIdentifier,
    isIncluded: boolean,
  ): Promise<void> => {
    const { tx, tenant } = unit
    const stream = await streamOf(tx, tenant, receiver.client.id, true)
    if (stream?.id !== streamId) throw noStream()
    const userId = await findUser(unit, tenant, receiver, subject)
    unit.concerns('signal-stream', streamId)
    if (userId === undefined) return
    unit.note({ userId })
    await tx
      .insertInto('signal_subjects')
      .values({ tenant_id: tenant.id, stream_id: streamId, user_id: userId, is_included: isIncluded })
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'stream_id', 'user_id']).doUpdateSet({ is_included: isIncluded }),
      )
      .execute()
  },
)
