/** The audit log as lines of JSON: what `countersign audit export` writes, with or without a running server. */
import { withStore } from './administration.ts'
import type { Configuration } from './configuration.ts'
import { type AuditFilter, auditPages, loggedEntry } from './domain/tenants/audit-entries.ts'
import { getTenant } from './domain/tenants/tenants.ts'

/**
 * Passes the entries of a tenant to `write`, oldest first and many lines at a time; returns how many there were.
 * Entries that a running server buffered in the last half second are not yet among them. Throws 404 for an unknown
 * tenant, 400 for an empty window.
 */
export const exportAuditLines = (
  configuration: Configuration,
  tenantId: string,
  filter: AuditFilter,
  write: (lines: string) => Promise<void>,
): Promise<number> =>
  withStore(configuration, async (store) => {
    const tenant = await getTenant(store, tenantId)
    let count = 0
    for await (const entries of auditPages(store, tenant, filter)) {
      count += entries.length
      await write(entries.map((entry) => `${JSON.stringify(loggedEntry(entry))}\n`).join(''))
    }
    return count
  })
