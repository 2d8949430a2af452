/** What `countersign apply` and `countersign export` do, next to a running server and without a process for each. */
import type { ClusterAddress } from '@countersign/harness/cluster.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { createTenant } from '../../src/administration.ts'
import { readConfiguration } from '../../src/configuration.ts'
import { applyTenantFile, exportTenantFile } from '../../src/tenant-declaration.ts'

interface Options {
  readonly isDry?: boolean
  readonly prune?: boolean
  readonly tenant?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface TenantFiles {
  readonly server: TestServer
  /** The report of each change, such as `+ role Clerk` or `~ role Clerk: its details`. Throws with the faults. */
  apply(text: string, options?: Options): Promise<string[]>
  export(tenant?: string): Promise<string>
  /** The faults of a file, which must have some. */
  faults(text: string, options?: Options): Promise<string>
  createTenant(id: string): Promise<void>
  /** Every row that an apply could have written, of every tenant. */
  everything(): Promise<unknown>
}

const SIGNS = { create: '+', change: '~', delete: '-', keep: '=' } as const
/** The tables that a declaration can write to, except events, which the server itself moves. */
const WRITTEN =
  '^(resources|scopes|authorization_details_types|roles|roles_scopes|application.*|organization_(roles|scopes).*|connectors|sso_(connector|idp_initiated).*|email_templates|sign_in_experiences|custom_profile_fields|custom_phrases|captcha_providers|account_centers|security_settings|client_registration_settings|id_token_settings|jwt_customizers|hooks|administrator_roles)$'

export const tenantFiles = async (cluster: ClusterAddress): Promise<TenantFiles> => {
  const SECRET_KEY = Buffer.alloc(32, 9).toString('base64')
  const server = await startTestServer(cluster, { SECRET_KEY })
  const configuration = readConfiguration({ DATABASE_URL: server.databaseUrl, SECRET_KEY, LOG_LEVEL: 'silent' })
  const apply: TenantFiles['apply'] = async (
    text,
    { isDry = false, prune = false, tenant: tenantId = 'default', env = {} } = {},
  ) => {
    const prepare = async () => undefined
    const request = { tenantId, text, file: 'tenant.yaml', env, prune, isDry, prepare }
    const { changes } = await applyTenantFile(configuration, request)
    return changes.map(({ verb, what, details }) =>
      [`${SIGNS[verb]} ${what}`, ...(details.length > 0 ? [details.join('; ')] : [])].join(': '),
    )
  }
  return {
    server,
    apply,
    export: (tenant = 'default') => exportTenantFile(configuration, tenant),
    async faults(text, options) {
      try {
        await apply(text, options)
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
      throw new Error('the file was applied')
    },
    async createTenant(id) {
      await createTenant(configuration, { id, name: id, baseUrl: `https://${id}.example` })
    },
    everything: () =>
      withClient(server.databaseUrl, async (client) => {
        const { rows } = await client.query(
          `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ $1 ORDER BY 1`,
          [WRITTEN],
        )
        const events = await client.query('SELECT id FROM outbox UNION ALL SELECT id FROM events ORDER BY 1')
        const found: Record<string, unknown> = { events: events.rows }
        for (const { name } of rows)
          found[name] = (await client.query(`SELECT t::text AS row FROM ${name} t ORDER BY 1`)).rows
        return found
      }),
  }
}
