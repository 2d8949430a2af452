/** The declaration of a tenant for callers of the Management API: what they may not do otherwise, they may not do by it. */
import { applyDeclaration, DryRun } from './declaration/apply.ts'
import { readTenant, writtenDeclaration } from './declaration/export.ts'
import { DeclarationError, Fault } from './declaration/fault.ts'
import { readDeclaration } from './declaration/read.ts'
import { ApiError } from './kernel/api-error.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import type { TenantFile } from './management/tenant-file.ts'
import { operation } from './storage/unit-of-work.ts'
import { refuseScript } from './tenant-declaration.ts'

/** Records that a file was compared; the comparison itself is rolled back. */
const concludeComparison = operation([], async ({ note }, changes: number): Promise<void> => note({ changes }))

/** The refusal of a file with all of its faults. */
const invalid = ({ problems }: DeclarationError): ApiError => {
  const [first = { line: 1, column: 1, reason: '' }] = problems
  const reason = `line ${first.line}, column ${first.column}: ${first.reason}`
  return new ApiError('declaration.invalid', { reason, problems: [...problems] })
}

const run = async (
  { tenant, perform }: Parameters<TenantFile['apply']>[0],
  { text, variables = {}, prune = false }: Parameters<TenantFile['apply']>[1],
  isDry: boolean,
) => {
  try {
    // the environment of the server is no business of a caller
    const { declaration, error: located } = await readDeclaration(text, 'file', variables)
    try {
      return await perform(applyDeclaration, { declaration, prune, isDry, refuseScript: refuseScript(tenant.id) })
    } catch (error) {
      if (error instanceof DryRun) return error.applied
      throw error instanceof Fault ? located(error) : error
    }
  } catch (error) {
    throw error instanceof DeclarationError ? invalid(error) : error
  }
}

export const tenantFile: TenantFile = {
  async write({ tenant, perform }) {
    try {
      return await writtenDeclaration(await perform(readTenant), tenant.id)
    } catch (error) {
      if (error instanceof ConfigurationError)
        throw new ApiError('declaration.not_writable', { reason: error.message }, { cause: error })
      throw error
    }
  },
  async compare(call, asked) {
    const { changes } = await run(call, asked, true)
    await call.perform(concludeComparison, changes.length)
    return changes
  },
  apply: (call, asked) => run(call, asked, false),
}
