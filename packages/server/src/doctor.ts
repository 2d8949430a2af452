/**
 * `countersign doctor`: checks for problems that occur in practice (DECISIONS A5). Changes nothing except for one audit
 * entry.
 */
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Verdict } from '@countersign/contract/findings.ts'
import { runMigrations, withStore } from './administration.ts'
import { createAssets } from './assets/assets.ts'
import type { Configuration } from './configuration.ts'
import { probeOutside } from './doctor-outside.ts'
import { databaseFacts, databaseFindings, type HealthFinding, keyFindings } from './domain/setup/findings.ts'
import { currentKey, keyState, MAIN_CHAIN, signingKeys } from './domain/tenants/signing-keys.ts'
import { tenantDirectory } from './domain/tenants/tenants.ts'
import { createOutbound } from './events/outbound.ts'
import { oneLine } from './events/placeholders.ts'
import { readTlsFiles } from './http/tls-files.ts'
import { systemClock } from './kernel/clock.ts'
import { isLoopbackUrl } from './kernel/network.ts'
import { readPlaces } from './kernel/places.ts'
import { DEFAULT_TENANT, type Tenant } from './kernel/tenant.ts'
import { tlsFilesOf } from './mutual-tls.ts'
import { secretKeyFile } from './storage/data-directory.ts'
import { clusterDirectory } from './storage/embedded/postmaster.ts'
import type { Store } from './storage/store.ts'

/** A line of the report. */
export interface Finding {
  readonly subject: string
  readonly verdict: Verdict
  readonly text: string
}

/** @param subject what it is about */
const finding = (subject: string, verdict: Verdict, text: string): Finding => ({ subject, verdict, text })
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

const DAY_MS = 86_400_000
/** How many days before its end a certificate is reported. */
const SOON_DAYS = 14

/** Whether the files of MTLS_PORT can be used, as a start or the running server would read them, and for how long. */
const checkCertificate = async (configuration: Configuration, now: Date): Promise<Finding[]> => {
  try {
    const files = tlsFilesOf(configuration)
    if (!files) return []
    const { validFrom, validUntil } = await readTlsFiles(files)
    const days = Math.floor((validUntil.getTime() - now.getTime()) / DAY_MS)
    const until = `the certificate of MTLS_CERT_FILE is valid until ${validUntil.toISOString().slice(0, 10)}`
    if (now < validFrom) return [finding('MTLS_PORT', 'problem', 'the certificate of MTLS_CERT_FILE is not valid yet')]
    if (days < 0) return [finding('MTLS_PORT', 'problem', 'the certificate of MTLS_CERT_FILE has expired')]
    return [
      days < SOON_DAYS
        ? finding('MTLS_PORT', 'warning', `${until}; replace it, the server reads it again`)
        : finding('MTLS_PORT', 'ok', until),
    ]
  } catch (error) {
    return [finding('MTLS_PORT', 'problem', `${message(error)} A running server keeps what it read; a start fails`)]
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
  findings.push(...(await checkPlaces(configuration)), ...(await checkCertificate(configuration, systemClock.now())))
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
          const { console: consoleOrigin, trustedProxies } = configuration
          findings.push(...(await probeOutside(store, tenant, { outbound, consoleOrigin, trustedProxies })))
        }
      },
      false,
    )
  } catch (error) {
    findings.push(finding('database', 'problem', message(error)))
  }
  return findings
}
