/** `/logs`: the audit log. */
import { type AuditLog, logRoutes } from '@countersign/contract/logs.ts'
import type { Static } from 'typebox'
import { CONSOLE_ID } from '../domain/applications/console.ts'
import { type AuditEntry, getAuditEntry, listAuditEntries, loggedEntry } from '../domain/tenants/audit-entries.ts'
import type { LogTail } from '../domain/tenants/log-tail.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'

type Payload = Static<typeof AuditLog>['payload']

const toLog = (row: AuditEntry) => {
  const entry = loggedEntry(row)
  return { ...entry, payload: entry.payload as Payload }
}

/** What both lists are filtered by. */
const filterOf = <T extends object>({
  logKey: key,
  withoutRenewals,
  ...fields
}: T & { readonly logKey?: string; readonly withoutRenewals?: 'true' | 'false' }) => ({
  ...fields,
  key,
  ...(withoutRenewals === 'true' ? { withoutTokensOf: CONSOLE_ID } : {}),
})

const moment = (milliseconds: number | undefined) => (milliseconds === undefined ? undefined : new Date(milliseconds))

export const logHandlers = (logTail: LogTail) =>
  bind(logRoutes, {
    async listLogs({ query }, { store, tenant, page }) {
      const { start_time, end_time, ...fields } = query
      const filter = { ...filterOf(fields), from: moment(start_time), until: moment(end_time) }
      return mapPage(await listAuditEntries(store, tenant, { ...page, ...filter }), toLog)
    },
    async followLogs({ query: { since, wait = 0, ...fields } }, { tenant, exchange }) {
      const gone = new AbortController()
      const forget = exchange.onGone(() => gone.abort())
      try {
        const { entries, cursor, isCut } = await logTail.follow(tenant, filterOf(fields), since, wait, gone.signal)
        return { entries: entries.map(toLog), cursor, isCut }
      } finally {
        forget()
      }
    },
    async getLog({ params }, { store, tenant }) {
      return toLog(await getAuditEntry(store, tenant, params.id))
    },
  })
