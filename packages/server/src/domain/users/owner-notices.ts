/**
 * Messages that tell the owner of an account of a sensitive change (DECISIONS T11): queued in the transaction of the change, to the
 * verified address that the account had before it, with a link by which the reader says that it was someone else. What the link does is
 * in sign-in/disown.ts.
 */
import { OWNER_NOTICES, type OwnerNotice } from '@countersign/contract/owner-notices.ts'
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newHashedOpaque } from '../../kernel/opaque.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { identifierKey } from '../credentials/identifiers.ts'
import { countSend } from '../delivery/message-limit.ts'
import { queueMessage } from '../delivery/messages.ts'
import type { UserRow } from './rows.ts'

export interface OwnerNoticeSettings {
  readonly enabled: boolean
  readonly kinds: readonly OwnerNotice[]
  /** Whether owners are told of what was done through the Management API, by a directory or by the server itself. */
  readonly byAdministrators: boolean
}

export const DEFAULT_OWNER_NOTICES: OwnerNoticeSettings = {
  enabled: true,
  kinds: OWNER_NOTICES,
  byAdministrators: false,
}

const DAY_SECONDS = 86_400
/** How long a reader can say that it was someone else. */
const LINK_SECONDS = 7 * DAY_SECONDS

/** Where the link leads. */
export const NOT_ME_PATH = '/not-me'

/** The account that a unit has created: what the unit adds to it is no change of it. */
const created = new WeakMap<Unit, string>()

/** Says that the unit has created this account, of which its owner knows. */
export const ownerKnows = (unit: Unit, userId: string): void => void created.set(unit, userId)

interface Account {
  readonly email: string | null
  readonly isVerified: boolean
  readonly locale: string | null
  readonly settings: Partial<OwnerNoticeSettings> | null
}

/** The account, with the setting; undefined where the tenant sends no mail. */
const readAccount = async ({ tx, tenant }: Unit, userId: string): Promise<Account | undefined> => {
  const { rows } = await sql<Account>`
    SELECT u.primary_email AS email, u.email_verified_at IS NOT NULL AS "isVerified",
      u.profile->>'locale' AS locale, s.settings->'ownerNotices' AS settings
    FROM users u LEFT JOIN sign_in_experiences s ON s.tenant_id = u.tenant_id
    WHERE u.tenant_id = ${tenant.id} AND u.id = ${userId}
      AND EXISTS (SELECT FROM connectors c WHERE c.tenant_id = u.tenant_id AND c.type = 'Email')`.execute(tx)
  return rows[0]
}

/** Whether someone else than the user does it: through the Management API, as a directory, or on the command line. */
const isByAdministrator = ({ caller: { permissions, actor, ip } }: Unit): boolean =>
  permissions !== undefined || actor.type === 'directory' || ip === undefined

/** An account before or after a change. */
type Addresses = Pick<UserRow, 'id' | 'primary_email' | 'email_key' | 'email_verified_at' | 'primary_phone'>

interface Told {
  /** The address before the change, where the change is of the address: null if there was none, or an unverified one. */
  readonly formerEmail?: string | null
  /** When and where from, in any language. */
  readonly details?: string
  /** The id of the factor, or the target of the provider, that was added. */
  readonly subject?: string
}

/**
 * Tells the owner of a change, if the setting says so and there is an address to tell: the one before the change. The creation of an
 * account is no change of it. At most ten messages in ten minutes tell of one account (DECISIONS L3); further ones are left out, which
 * the audit entry shows. Throws nothing of its own.
 */
export const tellOwner = async (
  unit: Unit,
  userId: string,
  kind: OwnerNotice,
  { formerEmail, details, subject }: Told = {},
): Promise<void> => {
  if (created.get(unit) === userId) return
  const account = await readAccount(unit, userId)
  if (!account) return
  const settings = { ...DEFAULT_OWNER_NOTICES, ...account.settings }
  if (!settings.enabled || !settings.kinds.includes(kind)) return
  if (isByAdministrator(unit) && !settings.byAdministrators) return
  const recipient = formerEmail ?? (account.isVerified ? account.email : null)
  const emailKey = recipient === null ? undefined : identifierKey({ type: 'email', value: recipient })
  if (recipient === null || emailKey === undefined) return
  const { tx, tenant, now } = unit
  if (!(await countSend(unit, hashSecret(`owner-notice:${userId}`)))) return unit.note({ ownerNoticeLeftOut: kind })
  const { value, hash } = newHashedOpaque('ownerNotice')
  unit.send(
    tx
      .insertInto('owner_notices')
      .values({
        tenant_id: tenant.id,
        hash,
        user_id: userId,
        kind,
        subject: subject ?? null,
        email_key: emailKey,
        created_at: now,
        expires_at: secondsAfter(now, LINK_SECONDS),
        used_at: null,
      })
      .execute(),
  )
  const link = `${tenant.baseUrl}${NOT_ME_PATH}?token=${value}`
  const message = {
    recipient,
    usage: kind === 'newSignIn' ? 'NewSignIn' : 'AccountChanged',
    variables: { link, change: kind, details: details ?? `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC` },
    ...(account.locale === null ? {} : { language: account.locale }),
  } as const
  queueMessage(unit, message, DAY_SECONDS)
  unit.note({ ownerNotice: kind })
}

/** Tells the owner of a changed, added or removed address or number, at the address before the change. */
export const tellOfAddresses = async (unit: Unit, before: Addresses, after: Addresses): Promise<void> => {
  const formerEmail = before.email_verified_at === null ? null : before.primary_email
  if (before.email_key !== after.email_key) await tellOwner(unit, before.id, 'emailChanged', { formerEmail })
  if (before.primary_phone !== after.primary_phone) await tellOwner(unit, before.id, 'phoneChanged', { formerEmail })
}
