/** The health of a tenant and its server: what an operator looks at first. */
import Type from 'typebox'
import { FindingOf, OUTSIDE_FINDINGS, OUTSIDE_SUBJECTS, Values } from './findings.ts'
import { routes } from './route.ts'
import { EpochMilliseconds, Nullable, OneOf } from './schema.ts'
import { SIGNING_ALGORITHMS } from './signing-keys.ts'

/** No queue is counted further than this. */
export const MOST_COUNTED = 10_000
/** The most tenants that are listed. */
export const MOST_TENANTS = 1000

/** What can be wrong without an address outside being asked. */
export const FINDING_CODES = [
  'clock.skew',
  'database.connections',
  'database.migrations',
  'database.privileges',
  'database.replica',
  'database.transaction',
  'database.version',
  'keys.algorithm',
  'keys.none',
] as const

const Counted = (what: string) =>
  Type.Integer({ description: `${what}. At most ${MOST_COUNTED}, which is that many or more` })

const Queue = (what: string) =>
  Type.Object(
    {
      waiting: Type.Integer({ description: `At most ${MOST_COUNTED}, which is that many or more` }),
      oldestAt: Nullable(EpochMilliseconds),
    },
    { description: what },
  )

const Health = Type.Object({
  version: Type.String({ description: 'Of the server that answers', examples: ['1.4.0'] }),
  signingKeys: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The `kid`' }),
      chain: Type.String({ description: '`main`, or the algorithm for which applications ask' }),
      algorithm: OneOf(SIGNING_ALGORITHMS),
      status: OneOf(['Next', 'Current', 'Previous']),
      effectiveAt: Type.Integer({ description: 'When it begins to sign, in milliseconds since 1970-01-01T00:00:00Z' }),
    }),
  ),
  unsignedAlgorithms: Type.Array(OneOf(SIGNING_ALGORITHMS), {
    description: 'Applications ask for ID tokens signed with these, and no such key is in use',
  }),
  messages: Queue('Mail, text messages and logout tokens that are not sent yet'),
  deliveries: Queue('Events that enabled webhooks have not received'),
  events: Type.Object(
    {
      ...Queue('').properties,
      lastSequence: Type.Integer({ description: 'The number of the newest event; 0: there is none' }),
    },
    { description: 'Committed events that have no number in the feed yet' },
  ),
  retention: Type.Object({
    auditDays: Type.Integer({ description: 'How long audit entries are kept; 0: for ever' }),
    eventDays: Type.Integer({ description: 'How long events and their deliveries are kept' }),
  }),
  limits: Type.Object(
    {
      lockouts: Counted('Identifiers locked after too many failures (`Identifier.Lockout`)'),
      messages: Counted('Messages not sent because their recipient had got too many (`Message.RateLimited`)'),
      addresses: Counted(
        'Requests refused because their address had sent too many, by the process that answers, since it started: other servers have counts of their own',
      ),
    },
    { description: 'Limits that were reached in the last 24 hours' },
  ),
  findings: Type.Array(
    Type.Object({
      level: OneOf(['error', 'warning']),
      code: OneOf(FINDING_CODES),
      sentence: Type.String({ description: 'What is wrong' }),
      fix: Type.String({ description: 'What to do about it' }),
    }),
    { description: 'What is wrong with the signing keys, and in the default tenant with the database' },
  ),
  installation: Nullable(
    Type.Object(
      {
        connections: Type.Object(
          {
            used: Type.Integer(),
            most: Type.Integer({ description: 'Without those that PostgreSQL keeps for superusers' }),
          },
          { description: 'Of all clients to the database server' },
        ),
        longestTransactionSeconds: Nullable(
          Type.Integer({
            description:
              'Since the oldest open transaction of the database began, as far as the user of the database may see. Null: none is open',
          }),
        ),
        tenants: Nullable(
          Type.Array(
            Type.Object({
              id: Type.String(),
              name: Type.String(),
              issuer: Type.String(),
              console: Nullable(Type.String({ description: 'The address of its console; null: it has none' })),
            }),
            { description: `Oldest first, at most ${MOST_TENANTS}. Null: the caller does not hold \`all\`` },
          ),
        ),
        databaseVersion: Type.String({ description: 'Of PostgreSQL', examples: ['17.2'] }),
        databaseBytes: Type.Integer(),
        migration: Type.Integer({ description: 'The version of the database' }),
        pendingMigrations: Type.Integer({ description: 'Known to this server and not run' }),
        expiredDeletedAt: Nullable(
          Type.Integer({
            description:
              'When a server or worker last deleted what has expired, every ten minutes; milliseconds since 1970-01-01T00:00:00Z',
          }),
        ),
      },
      { description: 'What all tenants share, for callers in the default tenant; null in the others' },
    ),
  ),
})

const OutsideFinding = Type.Object({
  subject: Type.String({ description: 'What was asked, in English', examples: ['base URL https://auth.example.com'] }),
  about: Type.Object(
    {
      code: OneOf(Object.keys(OUTSIDE_SUBJECTS) as (keyof typeof OUTSIDE_SUBJECTS)[]),
      values: Values('Its address or name'),
    },
    { description: 'The subject by code and values' },
  ),
  ...FindingOf(OUTSIDE_FINDINGS).properties,
})

export const healthRoutes = routes({
  checkOutside: {
    method: 'GET',
    path: '/health/outside',
    permission: 'write:configs',
    alsoPermission: 'write:connectors',
    summary: 'Check from outside',
    description:
      'Asks what `countersign doctor` asks: the base URL and the host of the console as clients reach them, with a token request that shows how the proxy passes addresses on; the mail server; and the providers at which users sign in. Takes up to half a minute, and nothing is changed. Three times a minute at most.',
    status: 200,
    response: Type.Object({ findings: Type.Array(OutsideFinding) }),
    errors: ['request.rate_limited'],
  },
  getHealth: {
    method: 'GET',
    path: '/health',
    permission: 'read:configs',
    summary: 'Get the state of the server',
    description:
      'Version, signing keys, what waits to be sent, the event feed, limits that were reached, and in the default tenant the database and the tenants. No address outside is asked: `GET /health/outside` and `countersign doctor` do that.',
    status: 200,
    response: Health,
  },
})
