/** The cookies that a sign-in ends with: the session, and the device if it is trusted or known from now on. */
import type { Tenant } from '../kernel/tenant.ts'
import { writeCookie } from './cookies.ts'

const DAY_SECONDS = 86_400

interface Secrets {
  readonly secret: string
  readonly device?: string
}

/** Set-Cookie values. @param sessionSeconds how long a session lives @param deviceDays how long a device stays trusted or known */
export const sessionCookies = (
  tenant: Tenant,
  { secret, device }: Secrets,
  sessionSeconds: number,
  deviceDays: number,
): string[] => [
  writeCookie(tenant, 'session', secret, sessionSeconds),
  ...(device === undefined ? [] : [writeCookie(tenant, 'device', device, deviceDays * DAY_SECONDS)]),
]
