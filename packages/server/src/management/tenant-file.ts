/** `/configs/declaration`: the configuration of the tenant as a file, the difference to one, and applying it. */
import { tenantFileRoutes } from '@countersign/contract/tenant-file.ts'
import { bind, type Call } from '../http/api.ts'

interface Change {
  readonly verb: 'create' | 'change' | 'delete' | 'keep'
  readonly what: string
  readonly details: readonly string[]
}

interface Application {
  readonly name: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
}

interface AskedFile {
  readonly text: string
  readonly variables?: Readonly<Record<string, string>> | undefined
  readonly prune?: boolean | undefined
}

/** What the declaration of a tenant can do for a caller. Each throws ApiError. */
export interface TenantFile {
  write(call: Call): Promise<string>
  /** What applying it would change; keeps nothing. */
  compare(call: Call, asked: AskedFile): Promise<readonly Change[]>
  apply(
    call: Call,
    asked: AskedFile,
  ): Promise<{ readonly changes: readonly Change[]; readonly applications: readonly Application[] }>
}

const toChange = ({ verb, what, details }: Change) => ({ verb, what, details: [...details] })

export const tenantFileHandlers = (file: TenantFile) =>
  bind(tenantFileRoutes, {
    exportTenant: async (_input, call) => ({ text: await file.write(call) }),
    compareTenant: async ({ body }, call) => ({ changes: (await file.compare(call, body)).map(toChange) }),
    async applyTenant({ body }, call) {
      const { changes, applications } = await file.apply(call, body)
      return {
        changes: changes.map(toChange),
        applications: applications.map(({ name, clientId, clientSecret }) => ({
          name,
          clientId,
          ...(clientSecret === undefined ? {} : { clientSecret }),
        })),
      }
    },
  })
