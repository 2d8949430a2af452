/**
 * The part of `countersign doctor` that asks others: the base URL and the host of the console as clients reach them, the mail server, and
 * the providers at which users sign in. The console runs it too.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { OUTSIDE_FINDINGS, OUTSIDE_SUBJECTS } from '@countersign/contract/findings.ts'
import type { healthRoutes } from '@countersign/contract/health.ts'
import type { Static } from 'typebox'
import { probeProviders } from './doctor-providers.ts'
import { carrierOf } from './domain/delivery/connectors.ts'
import { managementCredentials } from './domain/setup/bootstrap.ts'
import type { MessageFailure } from './events/message-failure.ts'
import { oneLine } from './events/placeholders.ts'
import { probeSmtp } from './events/smtp.ts'
import type { ConsoleOrigin } from './kernel/console-place.ts'
import { type Found, finderOf } from './kernel/findings.ts'
import { isLoopbackUrl, isPrivateAddress } from './kernel/network.ts'
import type { Outbound } from './kernel/outbound.ts'
import { filled } from './kernel/sentences.ts'
import type { Tenant } from './kernel/tenant.ts'
import type { Store } from './storage/store.ts'

type OutsideFinding = Static<(typeof healthRoutes.checkOutside)['response']>['findings'][number]

/** What the probes need beside the store. */
interface Surroundings {
  readonly outbound: Outbound
  readonly consoleOrigin: ConsoleOrigin
  readonly trustedProxies: readonly string[]
}

const WITHIN_MS = 5000
/** Mail servers make unknown clients wait. */
const MAIL_WITHIN_MS = 20_000
/** For each part, whatever it asks. */
const PART_WITHIN_MS = 30_000

type Values = Readonly<Record<string, string | number>>
/** What is asked: what the findings are about. */
type About = { readonly code: keyof typeof OUTSIDE_SUBJECTS; readonly values: Values }

const foundOutside = finderOf(OUTSIDE_FINDINGS)

/** A finding about what was asked. What others said in it is in one line. */
const about = ({ code, values }: About, found: Found<keyof typeof OUTSIDE_FINDINGS>): OutsideFinding => ({
  subject: filled(OUTSIDE_SUBJECTS[code], values),
  about: { code, values: { ...values } },
  ...found,
  values: Object.fromEntries(
    Object.entries(found.values).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value) : value]),
  ),
  text: oneLine(found.text),
})
const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const fetchWithin = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(WITHIN_MS), redirect: 'manual' })

/** With the code of the underlying error: `fetch` itself only says that it failed. */
const unreached = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return message(error)
  const code = 'code' in cause ? cause.code : cause.message
  return `${message(error)} (${code})`
}

/** The base URL leads to this installation, and the server there has this base URL. */
const checkBaseUrl = async ({ issuer }: Tenant): Promise<Found<keyof typeof OUTSIDE_FINDINGS>> => {
  try {
    const answer = await fetchWithin(`${issuer}/.well-known/openid-configuration`)
    if (answer.status !== 200) return foundOutside('base_url.status', { status: answer.status })
    const seen = ((await answer.json()) as { issuer?: unknown }).issuer
    return seen === issuer
      ? foundOutside('base_url.reached', {})
      : foundOutside('base_url.other_issuer', { issuer: String(seen) })
  } catch (error) {
    return foundOutside('address.unreached', { reason: unreached(error) })
  }
}

const siteOf = (origin: string): string => new URL(origin).hostname.split('.').slice(-2).join('.')

/** The console's own address leads to this installation, and the browser sends the session of the base URL from there. */
const checkConsole = async ({ baseUrl }: Tenant, origin: string): Promise<Found<keyof typeof OUTSIDE_FINDINGS>> => {
  try {
    const answer = await fetchWithin(`${origin}/console`)
    if (answer.status !== 200) return foundOutside('console.status', { status: answer.status })
    if (!(await answer.text()).includes(`content="${baseUrl}"`))
      return foundOutside('console.other_tenant', { baseUrl })
    return siteOf(origin) === siteOf(baseUrl)
      ? foundOutside('console.reached', {})
      : foundOutside('console.other_site', { baseUrl })
  } catch (error) {
    return foundOutside('address.unreached', { reason: unreached(error) })
  }
}

const TOKEN: About = { code: 'token', values: {} }
const PROXY: About = { code: 'proxy', values: {} }

/** Asks for a token through the base URL and looks up in the audit log where the server thinks it came from. */
const checkProxy = async (
  store: Store,
  tenant: Tenant,
  { trustedProxies }: Pick<Surroundings, 'trustedProxies'>,
): Promise<OutsideFinding[]> => {
  const credentials = await managementCredentials(store, tenant)
  if (!credentials) return []
  const { clientId, clientSecret, resource } = credentials
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const answer = await fetchWithin(`${tenant.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
  }).catch(() => undefined)
  if (!answer) return [about(TOKEN, foundOutside('token.no_answer', {}))]
  if (answer.status !== 200) return [about(TOKEN, foundOutside('token.status', { status: answer.status }))]
  const requestId = answer.headers.get('x-request-id')
  await store.audit.flush()
  for (let left = 20; left > 0; left -= 1) {
    const { rows } = await store.database.pool.query(
      `SELECT payload->>'ip' AS ip FROM audit_log WHERE tenant_id = $1 AND application_id = $2
        AND payload->>'requestId' = $3 ORDER BY created_at DESC LIMIT 1`,
      [tenant.id, clientId, requestId],
    )
    const ip: string | undefined = rows[0]?.ip
    if (ip === undefined) {
      await delay(100)
      continue
    }
    const isLocal = isLoopbackUrl(tenant.baseUrl)
    const suspicious = !isLocal && isPrivateAddress(ip) && trustedProxies.length === 0
    return [
      about(TOKEN, foundOutside('token.answered', {})),
      about(PROXY, foundOutside(suspicious ? 'proxy.private' : 'proxy.address', { ip })),
    ]
  }
  return [about(PROXY, foundOutside('proxy.other_database', {}))]
}

/** The mail server is reached and logged in to as for a mail; none is sent. */
const checkMail = async (
  store: Store,
  tenant: Tenant,
  outbound: Outbound,
): Promise<Found<keyof typeof OUTSIDE_FINDINGS>> => {
  const carrier = await carrierOf(store, tenant, 'Email')
  if (!carrier) return foundOutside('mail.none', {})
  if (carrier.kind !== SMTP) return foundOutside('mail.by_provider', { connector: carrier.kind })
  const { config } = carrier
  const server = `${config.host}:${config.port}`
  try {
    await probeSmtp(outbound, config, new URL(tenant.baseUrl).host, AbortSignal.timeout(MAIL_WITHIN_MS))
    return foundOutside(config.auth ? 'mail.login' : 'mail.answers', { server })
  } catch (error) {
    const { kind, message: reason, cause } = error as MessageFailure
    const values = { server, kind, reason, cause: message(cause) }
    return foundOutside('mail.failed', values)
  }
}

const providersOf = async (store: Store, tenant: Tenant, outbound: Outbound): Promise<OutsideFinding[]> =>
  (await probeProviders({ ...store, outbound }, tenant)).map(({ kind, name, check }) =>
    about({ code: kind, values: { name, tenant: tenant.id } }, check),
  )

/** What a part finds, or that it took too long. */
const inTime = async (subject: About, part: Promise<OutsideFinding[]>): Promise<OutsideFinding[]> => {
  const done = new AbortController()
  const tooLate = delay(PART_WITHIN_MS, undefined, { signal: done.signal }).then(
    () => [about(subject, foundOutside('check.too_late', { seconds: PART_WITHIN_MS / 1000 }))],
    () => [],
  )
  try {
    return await Promise.race([part, tooLate])
  } finally {
    done.abort()
  }
}

/**
 * Asks, and says what was found; the parts at the same time, each for half a minute at most. Nothing is changed but for an audit entry of a
 * token.
 */
export const probeOutside = async (
  store: Store,
  tenant: Tenant,
  { outbound, consoleOrigin, trustedProxies }: Surroundings,
): Promise<OutsideFinding[]> => {
  const baseUrl: About = { code: 'base_url', values: { url: tenant.baseUrl } }
  const mail: About = { code: 'mail', values: { tenant: tenant.id } }
  const providers: About = { code: 'providers', values: { tenant: tenant.id } }
  const ofConsole = async (url: string | undefined): Promise<OutsideFinding[]> =>
    url === undefined || url === tenant.baseUrl
      ? []
      : [about({ code: 'console', values: { url } }, await checkConsole(tenant, url))]
  const addresses = async (): Promise<OutsideFinding[]> => {
    const reached = await checkBaseUrl(tenant)
    return [
      about(baseUrl, reached),
      ...(await ofConsole(consoleOrigin(tenant))),
      ...(reached.verdict === 'ok' ? await checkProxy(store, tenant, { trustedProxies }) : []),
    ]
  }
  const ofMail = async (): Promise<OutsideFinding[]> => [about(mail, await checkMail(store, tenant, outbound))]
  const parts = await Promise.all([
    inTime(baseUrl, addresses()),
    inTime(mail, ofMail()),
    inTime(providers, providersOf(store, tenant, outbound)),
  ])
  return parts.flat()
}
