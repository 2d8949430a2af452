/** What a process listens on, and what its second port reports (DECISIONS A5). */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Configuration } from './configuration.ts'
import { adminEndpoints } from './http/admin.ts'
import { createShell, type Shell, type ShellOptions } from './http/shell.ts'
import { createTlsPort } from './http/tls-port.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import type { Log } from './kernel/log.ts'
import { tlsFilesOf } from './mutual-tls.ts'
import type { Store } from './storage/store.ts'

/** How long a process that is told to stop continues with what it has started (DECISIONS A6). */
export const GRACE_MS = 30_000
const READY_WITHIN_MS = 2000

/** Why a process cannot do its work right now; nothing when it can. */
export type Readiness = () => Promise<string | undefined>

/** Why the process cannot do its work right now: it is stopping, or has no database. */
export const readinessOf =
  (store: Store, state: { readonly draining: boolean }): Readiness =>
  async () => {
    if (state.draining) return 'the server is shutting down'
    const answered = store.database.pool.query('SELECT 1').then(
      () => undefined,
      () => 'the database does not answer',
    )
    const timeout = new Promise<string>((resolve) => {
      setTimeout(resolve, READY_WITHIN_MS, 'the database does not answer').unref()
    })
    return Promise.race([answered, timeout])
  }

/** An address to listen on, and the variables that set it. */
interface Address {
  readonly host: string
  readonly port: number
  readonly variables: { readonly host: string; readonly port: string }
}

export const mainAddress = ({ host, port }: Configuration): Address => ({
  ...{ host, port },
  variables: { host: 'HOST', port: 'PORT' },
})

const adminAddress = ({ adminHost: host, adminPort: port }: Configuration): Address | undefined =>
  port === undefined ? undefined : { host, port, variables: { host: 'ADMIN_HOST', port: 'ADMIN_PORT' } }

const mutualTlsAddress = ({ host, mtlsPort: port }: Configuration): Address | undefined =>
  port === undefined ? undefined : { host, port, variables: { host: 'HOST', port: 'MTLS_PORT' } }

/** One sentence that names the variable, if the configuration is the cause. */
const explained = (error: unknown, { host, port, variables }: Address): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE') {
    return new ConfigurationError(
      `Port ${port} is already in use; stop the program that uses it or set ${variables.port} to another port.`,
    )
  }
  if (/^(EADDRNOTAVAIL|ENOTFOUND|EAI_\w+|EINVAL)$/.test(code))
    return new ConfigurationError(`${variables.host} must be an address of this machine; ${host} is not (${code}).`)
  if (code === 'EACCES') {
    return new ConfigurationError(
      `The server may not listen on port ${port} (EACCES); set ${variables.port} to one above 1023.`,
    )
  }
  return error
}

/** Starts accepting connections; returns the port. Throws an OperatorError that names the variable when it cannot. */
export const listen = async (shell: Shell, address: Address): Promise<number> => {
  try {
    return await shell.listen(address.host, address.port)
  } catch (error) {
    throw explained(error, address)
  }
}

/** Throws like `listen` if it could not listen now; for a start that is about to change what others see. */
export const assertCanListen = async (configuration: Configuration): Promise<void> => {
  const probes: Server[] = []
  try {
    for (const address of [mainAddress(configuration), mutualTlsAddress(configuration), adminAddress(configuration)]) {
      if (!address) continue
      const probe = createServer()
      probe.listen(address.port, address.host)
      await once(probe, 'listening').catch((error: unknown) => {
        throw explained(error, address)
      })
      probes.push(probe)
    }
  } finally {
    await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))))
  }
}

/** Opens the port for client certificates, if one is configured, to the same endpoints. Returns what stops watching its files. */
export const openMutualTlsPort = async (
  configuration: Configuration,
  shell: Shell,
  log: Log,
): Promise<(() => void) | undefined> => {
  const [files, address] = [tlsFilesOf(configuration), mutualTlsAddress(configuration)]
  if (!files || !address) return undefined
  const { server, listen: begin, close } = await createTlsPort(files, log)
  shell.attach(server)
  try {
    await begin(address.host, address.port)
  } catch (error) {
    close()
    throw explained(error, address)
  }
  return close
}

/** The second port with metrics and readiness, if one is configured. @param shared settings in common with the first */
export const openAdminPort = async (
  configuration: Configuration,
  shared: Omit<ShellOptions, 'endpoints'>,
  readiness: Readiness,
): Promise<{ readonly shell: Shell; readonly port: number } | undefined> => {
  const address = adminAddress(configuration)
  if (!address) return undefined
  const { log, metrics } = shared
  metrics.withProcess()
  const shell = createShell({ ...shared, endpoints: adminEndpoints(log, metrics, readiness) })
  return { shell, port: await listen(shell, address) }
}
