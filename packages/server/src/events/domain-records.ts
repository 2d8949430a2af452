/**
 * Asks name servers for records of domains. Only these are asked, whatever name a caller has registered: those of the machine, or those
 * that the operator names. What a record says is compared, and never connected to.
 */
import { Resolver } from 'node:dns/promises'
import type { DomainRecords } from '../kernel/domain-records.ts'

/** For each server; a query is sent twice. */
const TIMEOUT_MS = 3000
const TRIES = 2
const NOT_THERE: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA'])

/** @param servers addresses with an optional port; none: those of the machine */
export const createDomainRecords = (servers: readonly string[]): DomainRecords => ({
  async txt(name) {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
    if (servers.length > 0) resolver.setServers([...servers])
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      return NOT_THERE.has(code) ? [] : `the name servers gave no answer (${code})`
    }
  },
})
