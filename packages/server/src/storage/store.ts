/** What a module needs to read and to start work: passed down from the composition root, never imported. */

import type { AddressLimits } from '../kernel/address-limits.ts'
import type { Assets } from '../kernel/assets.ts'
import type { CaptchaServices } from '../kernel/captcha.ts'
import type { Clock } from '../kernel/clock.ts'
import type { ConsoleOrigin } from '../kernel/console-place.ts'
import type { DomainRecords } from '../kernel/domain-records.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { MutualTls } from '../kernel/mutual-tls.ts'
import type { Outbound } from '../kernel/outbound.ts'
import type { Places } from '../kernel/places.ts'
import type { PwnedPasswords } from '../kernel/pwned-passwords.ts'
import type { Vault } from '../kernel/secrets.ts'
import type { TimeFloor } from '../kernel/time-floor.ts'
import type { AuditBatch } from './audit-log.ts'
import type { ConfigCache } from './config-cache.ts'
import type { Database } from './database.ts'
import type { SharedTransactions } from './shared-transactions.ts'

export interface Store {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly database: Database
  /** Transactions that short units of work share. */
  readonly shared: SharedTransactions
  readonly cache: ConfigCache
  readonly vault: Vault
  /** Audit entries of requests without a transaction. */
  readonly audit: AuditBatch
  /** How long audit entries are kept (DECISIONS N10); 0: for ever. */
  readonly auditDays: number
  /** The limits per address, in this process. */
  readonly addressLimits: AddressLimits
  /** How long the checks of imported passwords of a tenant take (DECISIONS L4), in this process. */
  readonly importedPasswords: TimeFloor
  readonly pwnedPasswords: PwnedPasswords
  readonly captchaServices: CaptchaServices
  readonly domainRecords: DomainRecords
  /** For requests that a user waits for; those of the background are made by events/. */
  readonly outbound: Pick<Outbound, 'send' | 'isSecureEnough'>
  readonly places: Places
  readonly assets: Assets
  /** Where the console of a tenant is. */
  readonly consoleOrigin: ConsoleOrigin
  /** Whether clients can present certificates, and where. */
  readonly mutualTls: MutualTls
}
