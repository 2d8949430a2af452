/**
 * An installation to measure: its own data directory with the embedded database, and the servers on it, each started
 * as a user would.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@countersign/harness/free-port.ts'
import { type Child, startChild } from './child.ts'

export interface ServerNode extends Child {
  readonly port: number
  /** How often it has waited for the database. */
  roundTrips(): Promise<number>
}

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly resource: string
}

export interface Installation {
  readonly dataDir: string
  readonly baseUrl: string
  /** A pg connection string of the embedded database. */
  readonly databaseUrl: string
  /** Starts the server with the default configuration. */
  startServer(): Promise<ServerNode>
  /** Starts another node on the database of the running one. */
  startSecondNode(): Promise<ServerNode>
  /** Credentials of the Management API, as created by the first start. */
  credentials(): Promise<Credentials>
  /** Removes the data directory; the servers must have stopped. */
  remove(): Promise<void>
}

/** Variables that would change the measured configuration if the shell that runs the bench had set them. */
const UNSET = { BASE_URL: '', LOG_LEVEL: '', CONFIG_CACHE_ENTRIES: '', DATABASE_POOL_SIZE: '', TRUSTED_PROXIES: '' }

/** The program as it is published (`scripts/build-server.ts`), below the repository. */
export const PROGRAM = 'packages/server/dist/bin/countersign.js'

/** The load comes from one directory and must not end at its limit. */
const UNLIMITED = { SCIM_REQUESTS: '0' }

const startNode = async (env: NodeJS.ProcessEnv, port: number, log: string): Promise<ServerNode> => {
  const adminPort = await freePort()
  const child = await startChild(PROGRAM, ['start'], {
    env: { ...UNSET, ...UNLIMITED, HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort), ...env },
    log,
    isReady: (line) => line.startsWith('Countersign is ready'),
  })
  return {
    ...child,
    port,
    async roundTrips() {
      const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
      return Number(/^countersign_database_round_trips (\d+)/m.exec(metrics)?.[1])
    },
  }
}

export const createInstallation = async (): Promise<Installation> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-bench-'))
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const databaseUrl = `postgres:///countersign?${new URLSearchParams({ host: join(dataDir, 'run'), port: '5432', user: 'countersign' })}`
  return {
    dataDir,
    baseUrl,
    databaseUrl,
    startServer: () =>
      startNode({ DATA_DIR: dataDir, DATABASE_URL: '', SECRET_KEY: '' }, port, join(dataDir, 'server.log')),
    async startSecondNode() {
      const env = {
        BASE_URL: baseUrl,
        DATABASE_URL: databaseUrl,
        SECRET_KEY: (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim(),
        DATA_DIR: join(dataDir, 'second'),
      }
      return startNode(env, await freePort(), join(dataDir, 'second.log'))
    },
    credentials: async () => JSON.parse(await readFile(join(dataDir, 'management.json'), 'utf8')),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}
