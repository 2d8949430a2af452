/**
 * `countersign doctor`: checks for problems that occur in practice (DECISIONS A5). Changes nothing except for one audit
 * entry.
 */
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { runMigrations, withStore } from './administration.ts'
import { createAssets } from './assets/assets.ts'
import type { Configuration } from './configuration.ts'
import { probeProviders } from './doctor-providers.ts'
import { carrierOf } from './domain/delivery/connectors.ts'
import { managementCredentials } from './domain/setup/bootstrap.ts'
import { databaseFacts, databaseFindings, type HealthFinding, keyFindings } from './domain/setup/findings.ts'
import { currentKey, keyState, MAIN_CHAIN, signingKeys } from './domain/tenants/signing-keys.ts'
import { tenantDirectory } from './domain/tenants/tenants.ts'
import type { MessageFailure } from './events/message-failure.ts'
import { createOutbound } from './events/outbound.ts'
import { oneLine } from './events/placeholders.ts'
import { probeSmtp } from './events/smtp.ts'
import { isLoopbackUrl, isPrivateAddress } from './kernel/network.ts'
import type { Outbound } from './kernel/outbound.ts'
import { readPlaces } from './kernel/places.ts'
import { DEFAULT_TENANT, type Tenant } from './kernel/tenant.ts'
import { secretKeyFile } from './storage/data-directory.ts'
import { clusterDirectory } from './storage/embedded/postmaster.ts'
import type { Store } from './storage/store.ts'

export interface Finding {
  readonly subject: string
  readonly verdict: 'ok' | 'warning' | 'problem'
  readonly text: string
}

const WITHIN_MS = 5000
/** Mail servers make unknown clients wait. */
const MAIL_WITHIN_MS = 20_000

const finding = (subject: string, verdict: Finding['verdict'], text: string): Finding => ({ subject, verdict, text })
const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const isMissing = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return false
  } catch (error) {
    // a directory that cannot be read may exist: opening it tells more
    return ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))
  }
}

/** What there is to examine; opening a directory that is not a data directory would turn it into one. */
const checkInstallation = async ({ databaseUrl, dataDir, secretKey }: Configuration): Promise<Finding[]> => {
  if (databaseUrl) return []
  if (await isMissing(join(clusterDirectory(dataDir), 'PG_VERSION'))) {
    const text = `there is none in ${resolve(dataDir)}; set DATA_DIR or DATABASE_URL to where it is`
    return [finding('installation', 'problem', text)]
  }
  if (secretKey || !(await isMissing(secretKeyFile(dataDir)))) return []
  const text = `${resolve(secretKeyFile(dataDir))} is missing: without it no secret in the database can be decrypted`
  return [finding('secret key', 'problem', text)]
}

const found = (subject: string, { level, sentence, fix }: HealthFinding): Finding =>
  finding(subject, level === 'error' ? 'problem' : 'warning', `${sentence} ${fix}`)

const checkDatabase = async (store: Store): Promise<Finding[]> => {
  const facts = await databaseFacts(store)
  const findings = databaseFindings(facts)
  const has = (code: HealthFinding['code']) => findings.some((each) => each.code === code)
  return [
    ...(has('database.version') ? [] : [finding('database', 'ok', `PostgreSQL ${facts.version}`)]),
    ...(has('clock.skew') ? [] : [finding('clock', 'ok', 'agrees with the database')]),
    ...findings.map((each) => found(each.code.startsWith('clock') ? 'clock' : 'database', each)),
  ]
}

const checkKeys = async (store: Store, tenant: Tenant): Promise<Finding[]> => {
  const subject = `signing keys of ${tenant.id}`
  const keys = await signingKeys(store, tenant)
  const now = store.clock.now()
  const chains = currentKey(keys, now) ? [...new Set(keys.map(({ chain }) => chain))] : []
  return [
    ...chains.map((chain) => {
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
    ...(await keyFindings(store, tenant)).map((each) => found(subject, each)),
  ]
}

const fetchWithin = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(WITHIN_MS), redirect: 'manual' })

/** With the code of the underlying error: `fetch` itself only says that it failed. */
const unreached = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return message(error)
  const code = 'code' in cause ? cause.code : cause.message
  return `${message(error)} (${code})`
}

/** A start moves the default tenant to its BASE_URL, so this environment should say where the tenant is. */
const checkEnvironment = (tenant: Tenant, { baseUrl }: Configuration): Finding[] =>
  tenant.id !== DEFAULT_TENANT || tenant.baseUrl === baseUrl
    ? []
    : [
        finding(
          'BASE_URL',
          'warning',
          `is ${baseUrl} here, but the tenant is at ${tenant.baseUrl}, which is what is examined; a start with this BASE_URL moves it`,
        ),
      ]

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

/** Whether the file of places can be read, as a start or the running server would read it. */
const checkPlaces = async ({ geoipFile }: Configuration): Promise<Finding[]> => {
  if (!geoipFile) return []
  try {
    const { builtAt } = await readPlaces(geoipFile)
    return [finding('GEOIP_FILE', 'ok', `${geoipFile} is of ${builtAt.toISOString().slice(0, 10)}`)]
  } catch (error) {
    const text = `${message(error)} A running server keeps using what it read before; a start fails`
    return [finding('GEOIP_FILE', 'problem', text.replace('GEOIP_FILE: ', ''))]
  }
}

/** Whether a file can be stored; it is removed again. */
const checkUploads = async (configuration: Configuration): Promise<Finding> => {
  const { files } = createAssets(configuration)
  if (!files) return finding('uploads', 'ok', 'no storage for images is configured, so uploads are refused')
  try {
    return finding('uploads', 'ok', `images can be stored: ${await files.check()}`)
  } catch (error) {
    return finding('uploads', 'problem', `images cannot be stored: ${oneLine(message(error))}`)
  }
}

/** All findings, ordered not by severity but by dependency. */
export const diagnose = async (configuration: Configuration): Promise<Finding[]> => {
  const findings = await checkInstallation(configuration)
  if (findings.length > 0) return findings
  findings.push(...(await checkPlaces(configuration)))
  try {
    const pending = await runMigrations(configuration, true)
    findings.push(
      pending.length === 0
        ? finding('migrations', 'ok', 'the database is up to date')
        : finding('migrations', 'warning', `${pending.length} will run at the next start`),
    )
    if (pending.length > 0) return findings
    await withStore(
      configuration,
      async (store) => {
        findings.push(...(await checkDatabase(store)), await checkUploads(configuration))
        const { all, byId } = await tenantDirectory(store)
        if (all.length === 0)
          findings.push(finding('tenants', 'problem', 'there is none; `countersign init` makes one'))
        // as the running server does: from the default tenant's base URL, not from this environment
        const allowLoopback = isLoopbackUrl(byId.get(DEFAULT_TENANT)?.baseUrl ?? configuration.baseUrl)
        const outbound = createOutbound({ allow: configuration.outboundAllow, allowLoopback })
        for (const tenant of all) {
          findings.push(...checkEnvironment(tenant, configuration), ...(await checkKeys(store, tenant)))
          const reached = await checkBaseUrl(tenant)
          findings.push(reached, ...(await checkConsole(tenant, configuration.console(tenant))))
          if (reached.verdict === 'ok') findings.push(...(await checkProxy(store, tenant, configuration)))
          findings.push(await checkMail(store, tenant, outbound))
          for (const { subject, verdict, text } of await probeProviders({ ...store, outbound }, tenant))
            findings.push(finding(subject, verdict, oneLine(text)))
        }
      },
      false,
    )
  } catch (error) {
    findings.push(finding('database', 'problem', message(error)))
  }
  return findings
}
