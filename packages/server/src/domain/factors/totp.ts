/**
 * Time-based one-time passwords (RFC 6238): six digits of SHA-1 in steps of 30 seconds, as authenticator apps make them. A step
 * is used once, by one statement (SECURITY R-6); one step before and after is allowed for (DECISIONS O1).
 */

import { sql } from 'kysely'
import { newBytes } from '../../kernel/ids.ts'
import { lazyLibrary } from '../../kernel/lazy-library.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { tellOwner } from '../users/owner-notices.ts'

const otpauth = lazyLibrary<typeof import('otpauth')>('otpauth')
const qr = lazyLibrary<typeof import('qr')>('qr')

const SECRET_BYTES = 20
const OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const WINDOW = 1

/** A new secret in base32. */
export const newTotpSecret = (): string =>
  new (otpauth().Secret)({ buffer: new Uint8Array(newBytes(SECRET_BYTES)).buffer }).base32

/** Whether a text is a secret that an authenticator app takes: base32 of 16 to 64 bytes (RFC 4226 section 4, R6). */
export const isTotpSecret = (text: string): boolean => {
  if (!/^[A-Z2-7]{26,103}$/.test(text)) return false
  const { length } = otpauth().Secret.fromBase32(text).bytes
  return length >= 16 && length <= 64
}

export interface TotpLabel {
  /** Who asks for the code, as the app shows it. */
  readonly issuer: string
  /** Whose account it is. */
  readonly account: string
}

/** A QR code as an SVG: a line for each run of dark squares, a third of the size of an SVG with a square for each. */
const qrImage = (text: string): string => {
  const rows = qr().encodeQR(text, 'raw', { ecc: 'medium', border: 2 })
  const size = rows.length
  const runs = rows.flatMap((row, y) => {
    const squares = row.map((isDark) => (isDark ? '1' : '0')).join('')
    return [...squares.matchAll(/1+/g)].map(({ index, 0: { length } }) => ({ x: index, y, length }))
  })
  // each run begins relative to the end of the previous one
  const lines = runs.map(({ x, y, length }, at) => {
    const before = runs[at - 1]
    return before ? `m${x - before.x - before.length} ${y - before.y}h${length}` : `M${x} ${y + 0.5}h${length}`
  })
  return `<svg viewBox="0 0 ${size} ${size}" xmlns="http://www.w3.org/2000/svg" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${lines.join('')}"/></svg>`
}

/** The address that an authenticator app reads, as text and as a QR code in a `data:` address of an SVG. */
export const totpAddress = (secret: string, { issuer, account }: TotpLabel): { uri: string; qrCode: string } => {
  const { Secret, TOTP } = otpauth()
  const uri = new TOTP({ ...OPTIONS, issuer, label: account, secret: Secret.fromBase32(secret) }).toString()
  return { uri, qrCode: `data:image/svg+xml;base64,${Buffer.from(qrImage(uri)).toString('base64')}` }
}

/** The time step of which a code is; undefined: of none that is near. */
export const stepOfCode = (secret: string, code: string, now: Date): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const { Secret, TOTP } = otpauth()
  const delta = TOTP.validate({ ...OPTIONS, secret: Secret.fromBase32(secret), token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : TOTP.counter({ period: OPTIONS.period, timestamp }) + delta
}

const purposeOf = (tenantId: string, id: string) => `totp/${tenantId}/${id}`

interface Keys {
  readonly tenant: Pick<Tenant, 'id'>
  readonly vault: Vault
}

/** A secret as it is kept. @param id of the factor that it belongs to */
export const sealTotpSecret = ({ tenant, vault }: Keys, id: string, secret: string): Buffer =>
  vault.seal(secret, purposeOf(tenant.id, id))

/** The secret again. */
export const unsealTotpSecret = ({ tenant, vault }: Keys, id: string, sealed: Uint8Array): string =>
  vault.unseal(sealed, purposeOf(tenant.id, id))

/**
 * Gives a user a TOTP. The caller has made sure that they have none.
 * @param id under which the secret was sealed
 * @param usedStep the step of the code that proved it
 */
export const addTotp = async (
  unit: Unit,
  userId: string,
  {
    id,
    sealedSecret,
    usedStep,
  }: { readonly id: string; readonly sealedSecret: Buffer; readonly usedStep: number | null },
): Promise<void> => {
  const { tx, tenant, now } = unit
  await tx
    .insertInto('factors')
    .values({
      tenant_id: tenant.id,
      id,
      user_id: userId,
      type: 'Totp',
      sealed_secret: sealedSecret,
      last_used_step: usedStep,
      created_at: now,
    })
    .execute()
  await tellOwner(unit, userId, 'factorAdded', { subject: id })
}

/** The TOTP of a user, as it is kept. */
export interface KeptTotp {
  readonly id: string
  readonly sealed_secret: Buffer
}

/** That of a user, if they have one. */
export const findTotp = async ({ tx, tenant }: Unit, userId: string): Promise<KeptTotp | undefined> => {
  const { rows } = await sql<KeptTotp>`/* prepared */
    SELECT id, sealed_secret FROM factors
    WHERE tenant_id = ${tenant.id} AND user_id = ${userId} AND type = 'Totp'`.execute(tx)
  return rows[0]
}

/** Uses a code up: of several uses of one step at once, or later, one gets the id of the factor. */
export const useTotpCode = async (unit: Unit, row: KeptTotp | undefined, code: string): Promise<string | undefined> => {
  const { tx, tenant, now } = unit
  if (!row) return undefined
  const step = stepOfCode(unsealTotpSecret(unit, row.id, row.sealed_secret), code, now)
  if (step === undefined) return undefined
  const used = await sql`/* prepared */
    UPDATE factors SET last_used_step = ${step}, last_used_at = ${now}
    WHERE tenant_id = ${tenant.id} AND id = ${row.id} AND (last_used_step IS NULL OR last_used_step < ${step})
    RETURNING id`.execute(tx)
  return used.rows.length > 0 ? row.id : undefined
}
