/** The health of a tenant and its server: what an operator looks at first. */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Nullable, OneOf } from './schema.ts'
import { SIGNING_ALGORITHMS } from './signing-keys.ts'

/** No queue is counted further than this. */
export const MOST_COUNTED = 10_000

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
  installation: Nullable(
    Type.Object(
      {
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

export const healthRoutes = routes({
  getHealth: {
    method: 'GET',
    path: '/health',
    permission: 'read:configs',
    summary: 'Get the state of the server',
    description:
      'Version, signing keys, what waits to be sent, the event feed, and in the default tenant the database. No address outside is asked; `countersign doctor` does that too.',
    status: 200,
    response: Health,
  },
})
