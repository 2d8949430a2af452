/** A running server for a test: real HTTP on a real database, with a clock that the test holds. */

import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@countersign/contract/client.ts'
import { managementToken } from '@countersign/contract/client-token.ts'
import { readConfiguration } from '@countersign/server/configuration.ts'
import { createLog } from '@countersign/server/kernel/log.ts'
import { type Server, startServer } from '@countersign/server/server.ts'
import type { Store } from '@countersign/server/storage/store.ts'
import { TestClock } from './clock.ts'
import { type ClusterAddress, createDatabase } from './cluster.ts'
import { type ApiClient, type Credentials, managementClient } from './management-client.ts'

export interface TestServer {
  readonly baseUrl: string
  readonly issuer: string
  readonly clock: TestClock
  /** Of the application that the first start creates. */
  readonly credentials: Credentials
  /** Calls the Management API with every permission; checks each answer against the contract. */
  readonly api: ApiClient
  /** The typed client, for what arranges; `api` can also send what the contract does not allow. */
  readonly client: Client
  readonly store: Store
  readonly databaseUrl: string
  /** Another node on the same database and the same clock, at its own port but of the same base URL. */
  startNode(env?: NodeJS.ProcessEnv): Promise<{ url: string; store: Store; close(): Promise<void> }>
  close(): Promise<void>
}

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** Below the ports that Linux gives to outgoing connections (`ip_local_port_range`). */
const [FIRST_PORT, LAST_PORT] = [11_000, 32_767]
/** More than a machine has workers, as a rule. */
const SHARES = 16
const PORTS = Math.floor((LAST_PORT + 1 - FIRST_PORT) / SHARES)
const given = new Set<number>()

/**
 * A port that was free a moment ago, and that no other process takes meanwhile: each worker of the tests has its own share of the ports,
 * and gives none of them twice before it has given half of them.
 */
export const freePort = async (): Promise<number> => {
  const share = Number(process.env.VITEST_POOL_ID ?? 0) % SHARES
  const port = FIRST_PORT + share * PORTS + randomInt(PORTS)
  if (given.size > PORTS / 2) given.clear()
  if (given.has(port)) return freePort()
  given.add(port)
  return (await isFree(port)) ? port : freePort()
}

/** Starts a server on a fresh database of the cluster. @param env overrides of the configuration */
export const startTestServer = async (cluster: ClusterAddress, env: NodeJS.ProcessEnv = {}): Promise<TestServer> => {
  const database = await createDatabase(cluster)
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-test-'))
  const clock = new TestClock()
  const port = await freePort()
  const common = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    DATABASE_POOL_SIZE: '8',
    ...env,
  }
  const start = (more: NodeJS.ProcessEnv): Promise<Server> => {
    const configuration = readConfiguration({ ...common, ...more })
    return startServer(configuration, { clock, log: createLog(configuration.logLevel) })
  }
  const server = await start({ PORT: String(port) })
  const { baseUrl, issuer } = server.tenant
  if (!server.credentials) throw new Error('the first start gave no credentials')
  const credentials: Credentials = server.credentials
  return {
    baseUrl,
    issuer,
    clock,
    credentials,
    api: managementClient(baseUrl, credentials),
    client: createClient({ baseUrl, token: managementToken({ baseUrl, ...credentials }) }),
    store: server.store,
    databaseUrl: database.url,
    async startNode(more = {}) {
      const node = await start({ PORT: '0', BASE_URL: baseUrl, ...more })
      return { url: `http://127.0.0.1:${node.port}`, store: node.store, close: () => node.close() }
    },
    async close() {
      await server.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
