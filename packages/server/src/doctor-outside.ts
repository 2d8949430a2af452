/**
 * The part of `countersign doctor` that asks others: the base URL and the host of the console as clients reach them, the mail server, and
 * the providers at which users sign in. The console runs it too.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { probeProviders } from './doctor-providers.ts'
import { carrierOf } from './domain/delivery/connectors.ts'
import { managementCredentials } from './domain/setup/bootstrap.ts'
import type { MessageFailure } from './events/message-failure.ts'
import { oneLine } from './events/placeholders.ts'
import { probeSmtp } from './events/smtp.ts'
import type { ConsoleOrigin } from './kernel/console-place.ts'
import { isLoopbackUrl, isPrivateAddress } from './kernel/network.ts'
import type { Outbound } from './kernel/outbound.ts'
import type { Tenant } from './kernel/tenant.ts'
import type { Store } from './storage/store.ts'

export interface Finding {
  readonly subject: string
  readonly verdict: 'ok' | 'warning' | 'problem'
  readonly text: string
}

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

/** @param subject what it is about */
export const finding = (subject: string, verdict: Finding['verdict'], text: string): Finding => ({
  subject,
  verdict,
  text,
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
const checkBaseUrl = async ({ baseUrl, issuer }: Tenant): Promise<Finding> => {
  const subject = `base URL ${baseUrl}`
  try {
    const answer = await fetchWithin(`${issuer}/.well-known/openid-configuration`)
    if (answer.status !== 200) return finding(subject, 'problem', `answers ${answer.status} for discovery`)
    const seen = ((await answer.json()) as { issuer?: unknown }).issuer
    return seen === issuer
      ? finding(subject, 'ok', 'reaches the server, which has the same base URL')
      : finding(
          subject,
          'problem',
          `leads to a server whose issuer is ${String(seen)}; set BASE_URL to what clients use`,
        )
  } catch (error) {
    return finding(subject, 'problem', `cannot be reached from here: ${unreached(error)}`)
  }
}

const siteOf = (origin: string): string => new URL(origin).hostname.split('.').slice(-2).join('.')

/** Where the console has an address of its own, that leads to this installation, and the browser sends the session of the base URL from there. */
const checkConsole = async (tenant: Tenant, origin: string | undefined): Promise<Finding[]> => {
  if (origin === undefined || origin === tenant.baseUrl) return []
  const subject = `console ${origin}`
  try {
    const answer = await fetchWithin(`${origin}/console`)
    if (answer.status !== 200) return [finding(subject, 'problem', `answers ${answer.status} for /console`)]
    if (!(await answer.text()).includes(`content="${tenant.baseUrl}"`))
      return [
        finding(
          subject,
          'problem',
          `does not lead to the console of ${tenant.baseUrl}; pass its host on to the server`,
        ),
      ]
    if (siteOf(origin) !== siteOf(tenant.baseUrl))
      return [
        finding(
          subject,
          'warning',
          `is of another site than ${tenant.baseUrl}: browsers withhold the session there, so that administrators sign in again every ten minutes`,
        ),
      ]
    return [finding(subject, 'ok', 'reaches the console')]
  } catch (error) {
    return [finding(subject, 'problem', `cannot be reached from here: ${unreached(error)}`)]
  }
}

/** Asks for a token through the base URL and looks up in the audit log where the server thinks it came from. */
const checkProxy = async (
  store: Store,
  tenant: Tenant,
  { trustedProxies }: Pick<Surroundings, 'trustedProxies'>,
): Promise<Finding[]> => {
  const credentials = await managementCredentials(store, tenant)
  if (!credentials) return []
  const { clientId, clientSecret, resource } = credentials
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const answer = await fetchWithin(`${tenant.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
  }).catch(() => undefined)
  if (answer?.status !== 200) {
    return [finding('token', 'problem', `a token request through the base URL answers ${answer?.status ?? 'nothing'}`)]
  }
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
      finding('token', 'ok', 'a token request through the base URL is answered'),
      suspicious
        ? finding(
            'proxy',
            'warning',
            `the server sees requests as coming from ${ip}; if that is a proxy, name it in TRUSTED_PROXIES`,
          )
        : finding('proxy', 'ok', `the server sees requests of this machine as coming from ${ip}`),
    ]
  }
  return [finding('proxy', 'warning', 'the server at the base URL does not write to this database')]
}

/** The mail server is reached and logged in to as for a mail; none is sent. */
const checkMail = async (store: Store, tenant: Tenant, outbound: Outbound): Promise<Finding> => {
  const subject = `mail of ${tenant.id}`
  const carrier = await carrierOf(store, tenant, 'Email')
  if (!carrier)
    return finding(subject, 'ok', 'no connector is set up, so no mail is sent and codes by mail are not offered')
  if (carrier.kind !== SMTP)
    return finding(
      subject,
      'ok',
      `sent through ${carrier.kind}, which only a test message can check: POST /api/connectors/${carrier.kind}/test`,
    )
  const { config } = carrier
  const server = `${config.host}:${config.port}`
  try {
    await probeSmtp(outbound, config, new URL(tenant.baseUrl).host, AbortSignal.timeout(MAIL_WITHIN_MS))
    return finding(subject, 'ok', `${server} ${config.auth ? 'accepts the login' : 'answers'}`)
  } catch (error) {
    const { message: sentence, cause } = error as MessageFailure
    return finding(subject, 'problem', `${server}: ${sentence} (${oneLine(message(cause))})`)
  }
}

const providersOf = async (store: Store, tenant: Tenant, outbound: Outbound): Promise<Finding[]> =>
  (await probeProviders({ ...store, outbound }, tenant)).map(({ subject, verdict, text }) =>
    finding(subject, verdict, oneLine(text)),
  )

/** What a part finds, or that it took too long. */
const inTime = async (subject: string, part: Promise<Finding[]>): Promise<Finding[]> => {
  const done = new AbortController()
  const tooLate = delay(PART_WITHIN_MS, undefined, { signal: done.signal }).then(
    () => [finding(subject, 'problem', `no answer within ${PART_WITHIN_MS / 1000} seconds`)],
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
): Promise<Finding[]> => {
  const addresses = async (): Promise<Finding[]> => {
    const reached = await checkBaseUrl(tenant)
    const isReached = reached.verdict === 'ok'
    return [
      reached,
      ...(await checkConsole(tenant, consoleOrigin(tenant))),
      ...(isReached ? await checkProxy(store, tenant, { trustedProxies }) : []),
    ]
  }
  const parts = await Promise.all([
    inTime(`base URL ${tenant.baseUrl}`, addresses()),
    inTime(
      `mail of ${tenant.id}`,
      checkMail(store, tenant, outbound).then((found) => [found]),
    ),
    inTime(`providers of ${tenant.id}`, providersOf(store, tenant, outbound)),
  ])
  return parts.flat()
}
