/** A running server for a test: real HTTP on a real database, with a clock that the test controls. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@countersign/contract/client.ts'
import { type ClientCredentials, managementToken } from '@countersign/contract/client-token.ts'
import { readConfiguration } from '@countersign/server/configuration.ts'
import { createLog } from '@countersign/server/kernel/log.ts'
import { type Server, startServer } from '@countersign/server/server.ts'
import type { Store } from '@countersign/server/storage/store.ts'
import { TestClock } from './clock.ts'
import { type ClusterAddress, createDatabase } from './cluster.ts'
import { freePort } from './free-port.ts'
import { type ApiClient, type Credentials, managementClient } from './management-client.ts'

export interface TestServer {
  readonly baseUrl: string
  readonly issuer: string
  readonly clock: TestClock
  /** Of the application that the first start creates. */
  readonly credentials: Credentials
  /** Calls the Management API with every permission; checks each response against the contract. */
  readonly api: ApiClient
  /** The typed client, for set-up; `api` can also send what the contract does not allow. */
  readonly client: Client
  readonly store: Store
  readonly databaseUrl: string
  /** Where uploaded images are, unless the test configured another place. */
  readonly assetsDirectory: string
  /** What a command of the command line needs to work on the same database. */
  readonly environment: Readonly<Record<'DATABASE_URL' | 'SECRET_KEY' | 'BASE_URL', string>>
  /** Another node on the same database and the same clock, at its own port but of the same base URL. */
  startNode(env?: NodeJS.ProcessEnv): Promise<{ url: string; store: Store; close(): Promise<void> }>
  close(): Promise<void>
}

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

/** A token for the typed client, replaced after half of its hour by the clock of the test. */
const tokenByClock = (clock: TestClock, credentials: ClientCredentials): (() => Promise<string>) => {
  let [token, at] = [managementToken(credentials), clock.now().getTime()]
  return () => {
    const now = clock.now().getTime()
    if (now - at > 1_800_000) [token, at] = [managementToken(credentials), now]
    return token()
  }
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
    ASSETS_DIRECTORY: join(dataDir, 'assets'),
    // the clock stands still, so no window would ever end
    ADDRESS_INTERACTIONS: '0',
    ADDRESS_PUSHED_REQUESTS: '0',
    ADDRESS_DEVICE_CODES: '0',
    ADDRESS_AUDIT_ENTRIES: '0',
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
    client: createClient({ baseUrl, token: tokenByClock(clock, { baseUrl, ...credentials }) }),
    store: server.store,
    databaseUrl: database.url,
    assetsDirectory: common.ASSETS_DIRECTORY ?? '',
    environment: { DATABASE_URL: database.url, SECRET_KEY, BASE_URL: baseUrl },
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
