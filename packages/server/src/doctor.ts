/** `countersign doctor`: looks for what goes wrong in practice (DECISIONS A5). Changes nothing but one audit entry. */
import { setTimeout as delay } from 'node:timers/promises'
import { runMigrations, withStore } from './administration.ts'
import type { Configuration } from './configuration.ts'
import { managementCredentials } from './domain/bootstrap.ts'
import { askedAlgorithms, currentKey, idTokenKey, keyState, MAIN_CHAIN, signingKeys } from './domain/signing-keys.ts'
import { tenantDirectory } from './domain/tenants.ts'
import type { Tenant } from './kernel/tenant.ts'
import type { Store } from './storage/store.ts'

export interface Finding {
  readonly subject: string
  readonly verdict: 'ok' | 'warning' | 'problem'
  readonly text: string
}

const OLDEST_POSTGRES = 15
const WITHIN_MS = 5000
const TOLERATED_SKEW_MS = 5000

const finding = (subject: string, verdict: Finding['verdict'], text: string): Finding => ({ subject, verdict, text })
const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const checkDatabase = async ({ database: { pool } }: Store): Promise<Finding[]> => {
  const { rows } = await pool.query(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major,
      has_schema_privilege(current_schema(), 'CREATE') AS may_migrate, pg_is_in_recovery() AS is_replica`,
  )
  const { version, major, may_migrate, is_replica } = rows[0]
  return [
    major >= OLDEST_POSTGRES
      ? finding('database', 'ok', `PostgreSQL ${version}`)
      : finding('database', 'problem', `PostgreSQL ${version}; ${OLDEST_POSTGRES} or later is needed`),
    ...(may_migrate
      ? []
      : [finding('database', 'problem', 'the database user may not create tables, so migrations will fail')]),
    ...(is_replica ? [finding('database', 'problem', 'the database is a read-only replica')] : []),
  ]
}

const checkKeys = async (store: Store, tenant: Tenant): Promise<Finding[]> => {
  const subject = `signing keys of ${tenant.id}`
  const keys = await signingKeys(store, tenant)
  const now = store.clock.now()
  const mend = '`countersign keys rotate --grace 0` makes one'
  if (!currentKey(keys, now)) return [finding(subject, 'problem', `no key is in use; ${mend}`)]
  const unsigned = (await askedAlgorithms(store.database.kysely, tenant)).filter(
    (asked) => !idTokenKey(keys, asked, now),
  )
  return [
    ...[...new Set(keys.map(({ chain }) => chain))].map((chain) => {
      const own = keys.filter((key) => key.chain === chain)
      const states = own.map((key) => keyState(keys, key, now))
      const count = (state: string) => states.filter((each) => each === state).length
      const inUse = currentKey(keys, now, chain)?.algorithm ?? 'none'
      return finding(
        chain === MAIN_CHAIN ? subject : `${subject}, ${chain}`,
        'ok',
        `${inUse} in use, ${count('Next')} next, ${count('Previous')} previous`,
      )
    }),
    ...unsigned.map((asked) =>
      finding(subject, 'problem', `applications ask for ID tokens by ${asked}, and no such key is in use; ${mend}`),
    ),
  ]
}

const checkClock = async ({ database: { pool }, clock }: Store): Promise<Finding> => {
  const { rows } = await pool.query('SELECT clock_timestamp() AS now')
  const skew = Math.abs(clock.now().getTime() - (rows[0].now as Date).getTime())
  return skew <= TOLERATED_SKEW_MS
    ? finding('clock', 'ok', 'agrees with the database')
    : finding(
        'clock',
        'warning',
        `differs from the database's by ${Math.round(skew / 1000)} s: tokens will seem expired or not yet valid`,
      )
}

const fetchWithin = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(WITHIN_MS), redirect: 'manual' })

/** The base URL leads to this installation, and the server there believes that it is at this base URL. */
const checkBaseUrl = async ({ baseUrl, issuer }: Tenant): Promise<Finding> => {
  const subject = `base URL ${baseUrl}`
  try {
    const answer = await fetchWithin(`${issuer}/.well-known/openid-configuration`)
    if (answer.status !== 200) return finding(subject, 'problem', `answers ${answer.status} for discovery`)
    const seen = ((await answer.json()) as { issuer?: unknown }).issuer
    return seen === issuer
      ? finding(subject, 'ok', 'reaches the server, which is of the same opinion')
      : finding(
          subject,
          'problem',
          `leads to a server whose issuer is ${String(seen)}; set BASE_URL to what clients use`,
        )
  } catch (error) {
    return finding(subject, 'problem', `cannot be reached from here: ${message(error)}`)
  }
}

const isPrivate = (ip: string): boolean =>
  /^(::ffff:)?(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|127\.)|^::1$|^f[cd]/i.test(ip)

/** Asks for a token through the base URL and looks up in the audit log where the server thinks it came from. */
const checkProxy = async (store: Store, tenant: Tenant, { trustedProxies }: Configuration): Promise<Finding[]> => {
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
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(tenant.baseUrl).hostname)
    const suspicious = !isLocal && isPrivate(ip) && trustedProxies.length === 0
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

/** Every finding, the worst not first: in the order in which things depend on one another. */
export const diagnose = async (configuration: Configuration): Promise<Finding[]> => {
  const findings: Finding[] = []
  try {
    const pending = await runMigrations(configuration, true)
    findings.push(
      pending.length === 0
        ? finding('migrations', 'ok', 'the database is of this version')
        : finding('migrations', 'warning', `${pending.length} will run at the next start`),
    )
    if (pending.length > 0) return findings
    await withStore(configuration, async (store) => {
      findings.push(...(await checkDatabase(store)), await checkClock(store))
      for (const tenant of (await tenantDirectory(store)).all) {
        findings.push(...(await checkKeys(store, tenant)))
        const reached = await checkBaseUrl(tenant)
        findings.push(reached)
        if (reached.verdict === 'ok') findings.push(...(await checkProxy(store, tenant, configuration)))
      }
    })
  } catch (error) {
    findings.push(finding('database', 'problem', message(error)))
  }
  return findings
}
