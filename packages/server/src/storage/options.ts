/**
 * Storage: the database connection, migrations, the unit of work with its outbox and audit log, and the cache of
 * configuration. Depends on the kernel only. Knows rows and transactions; the domain knows what they mean.
 */
import { resolve } from 'node:path'
import { option, text, wholeNumber } from '../kernel/configuration.ts'
import { STANDARD_OUTPUT } from './audit-sink.ts'

export const storageOptions = {
  databaseUrl: option({
    env: 'DATABASE_URL',
    default: undefined,
    description:
      'A PostgreSQL 15 or later, as postgres://user:password@host/name. Without it an embedded PostgreSQL runs in DATA_DIR.',
    secret: true,
    parse: (value) => {
      if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value)) throw new Error('must be a postgres:// URL')
      return value
    },
  }),
  dataDir: option({
    env: 'DATA_DIR',
    default: './data',
    description: 'Where the embedded database, the generated secret key and management.json are kept.',
    parse: (value) => resolve(text(value)),
  }),
  secretKey: option({
    env: 'SECRET_KEY',
    default: undefined,
    description:
      '32 bytes in base64: the master key that seals secrets in the database. Required with DATABASE_URL; otherwise made once and kept in DATA_DIR.',
    secret: true,
    parse: (value) => {
      const bytes = Buffer.from(value, 'base64')
      if (bytes.length !== 32 || bytes.toString('base64').replace(/=+$/, '') !== value.replace(/=+$/, '')) {
        throw new Error('must be 32 bytes in base64; `openssl rand -base64 32` makes one')
      }
      return new Uint8Array(bytes)
    },
  }),
  databasePoolSize: option({
    env: 'DATABASE_POOL_SIZE',
    default: '20',
    description:
      'The most database connections that this process opens, in addition to two for reads that requests share, three for configuration and one for change notices.',
    parse: wholeNumber(1, 500),
  }),
  auditDays: option({
    env: 'AUDIT_DAYS',
    default: '400',
    description: 'How many days audit entries are kept. 0: for ever.',
    parse: wholeNumber(0, 36_500),
  }),
  configCacheEntries: option({
    env: 'CONFIG_CACHE_ENTRIES',
    default: '50000',
    description: 'How many applications, resources and the like are kept in memory; the least recently used go first.',
    parse: wholeNumber(100, 10_000_000),
  }),
  auditLogFile: option({
    env: 'AUDIT_LOG_FILE',
    default: undefined,
    description:
      'A file to which the server also writes every audit entry as a line of JSON, at least once; - is standard output.',
    parse: (value) => (value === STANDARD_OUTPUT ? value : resolve(text(value))),
  }),
}
