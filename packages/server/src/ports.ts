/** What a process listens on, and what its second port says of it (DECISIONS A5). */
import type { Configuration } from './configuration.ts'
import { adminEndpoints } from './http/admin.ts'
import { createShell, type Shell, type ShellOptions } from './http/shell.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import type { Store } from './storage/store.ts'

/** How long a process that is told to stop goes on with what it has begun (DECISIONS A6). */
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

/** Begins to accept; returns the port. Throws one sentence that names the variable when it cannot. */
export const listen = async (shell: Shell, host: string, port: number, variable: string): Promise<number> => {
  try {
    return await shell.listen(host, port)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE') {
      throw new ConfigurationError(
        `Port ${port} is already in use; stop the program that uses it or set ${variable} to another port.`,
      )
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new ConfigurationError(`The server cannot listen on ${host} port ${port} (${code}).`)
    }
    throw error
  }
}

/** The second port with metrics and readiness, if one is configured. @param shared what it has in common with the first */
export const openAdminPort = async (
  { adminPort, adminHost }: Configuration,
  shared: Omit<ShellOptions, 'endpoints'>,
  readiness: Readiness,
): Promise<{ readonly shell: Shell; readonly port: number } | undefined> => {
  if (adminPort === undefined) return undefined
  const { log, metrics } = shared
  metrics.withProcess()
  const shell = createShell({ ...shared, endpoints: adminEndpoints(log, metrics, readiness) })
  return { shell, port: await listen(shell, adminHost, adminPort, 'ADMIN_PORT') }
}
