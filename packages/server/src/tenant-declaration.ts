/**
 * What `countersign apply` and `countersign export` do: bring a tenant to the state that a file describes, and write it
 * as such a file.
 */
import { withStore } from './administration.ts'
import type { Configuration } from './configuration.ts'
import { type Applied, applyDeclaration, DryRun } from './declaration/apply.ts'
import type { RefuseScript } from './declaration/customizers.ts'
import { readTenant, writtenDeclaration } from './declaration/export.ts'
import { Fault } from './declaration/fault.ts'
import { readDeclaration } from './declaration/read.ts'
import { getTenant } from './domain/tenants/tenants.ts'
import { systemCaller } from './kernel/caller.ts'
import { perform } from './storage/unit-of-work.ts'

export type { Applied } from './declaration/apply.ts'

export interface ApplyRequest {
  readonly tenantId: string
  readonly text: string
  /** The name of the text in error messages. */
  readonly file: string
  /** The environment, for the variables in it. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly prune: boolean
  readonly isDry: boolean
  /** Called before anything is started, if the file is valid. */
  prepare(): Promise<void>
}

/** The check that the Management API makes before it stores a script. The sandbox is loaded only when needed. */
export const refuseScript =
  (tenantId: string): RefuseScript =>
  async (script) => {
    const [{ scriptPool }, { DEFAULT_CPU_LIMIT }] = await Promise.all([
      import('./tokens/claims/pool.ts'),
      import('./tokens/claims/script.ts'),
    ])
    const { conclusion } = await scriptPool.run({ tenantId, script, input: undefined, cpuLimit: DEFAULT_CPU_LIMIT })
    return conclusion.kind === 'failed' ? conclusion.detail : undefined
  }

/**
 * Brings the tenant to the state that the file describes, or with isDry only reports the differences. Throws
 * DeclarationError with positions.
 */
export const applyTenantFile = async (configuration: Configuration, request: ApplyRequest): Promise<Applied> => {
  const { tenantId, text, file, env, prune, isDry } = request
  const { declaration, error: located } = await readDeclaration(text, file, env)
  return withStore(configuration, async (store) => {
    const tenant = await getTenant(store, tenantId)
    await request.prepare()
    try {
      const work = { store, tenant, caller: systemCaller('applyTenant') }
      return await perform(work, applyDeclaration, { declaration, prune, isDry, refuseScript: refuseScript(tenantId) })
    } catch (error) {
      if (error instanceof DryRun) return error.applied
      throw error instanceof Fault ? located(error) : error
    }
  })
}

/** The tenant as a file, without secrets. */
export const exportTenantFile = (configuration: Configuration, tenantId: string): Promise<string> =>
  withStore(configuration, async (store) => {
    const tenant = await getTenant(store, tenantId)
    const declaration = await perform({ store, tenant, caller: systemCaller('exportTenant') }, readTenant)
    return writtenDeclaration(declaration, tenant.id)
  })
