/** Second factors, the choices about them, and trusted devices as the Management API and the Account API show them. */
import type { Selectable } from 'kysely'
import type { Places } from '../../kernel/places.ts'
import type { Tables } from '../../storage/tables.ts'
import type { FactorChoices } from './choices.ts'
import type { Factor } from './factors.ts'

export const factorView = ({ id, type, agent, name, created_at, last_used_at, remaining }: Factor) => ({
  id,
  type,
  createdAt: created_at.toISOString(),
  ...(last_used_at ? { lastUsedAt: last_used_at.toISOString() } : {}),
  ...(agent === null ? {} : { agent }),
  ...(name === null ? {} : { name }),
  ...(type === 'BackupCode' ? { remainCodes: remaining } : {}),
})

export const choicesView = ({
  enabled,
  skipped = false,
  skipMfaOnSignIn = false,
  passkeySkipped = false,
}: FactorChoices) => ({
  mfa: { ...(enabled === undefined ? {} : { enabled }), skipped, skipMfaOnSignIn },
  passkeySignIn: { skipped: passkeySkipped },
})

/** A change of choices in the words of the APIs. */
interface ChoicesUpdate {
  readonly mfa?: Omit<FactorChoices, 'passkeySkipped'>
  readonly passkeySignIn?: { readonly skipped?: boolean }
}

export const choicesOfView = ({ mfa = {}, passkeySignIn }: ChoicesUpdate): FactorChoices => ({
  ...mfa,
  ...(passkeySignIn?.skipped === undefined ? {} : { passkeySkipped: passkeySignIn.skipped }),
})

export const deviceView = (row: Selectable<Tables['trusted_devices']>, places: Places) => {
  const place = places.of(row.ip ?? undefined)
  return {
    id: row.id,
    userAgent: row.user_agent,
    country: place?.country ?? null,
    city: place?.city ?? null,
    createdAt: row.created_at.getTime(),
    lastUsedAt: row.last_used_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  }
}
