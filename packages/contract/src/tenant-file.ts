/** The configuration of the tenant as a file, as `countersign export` writes it and `countersign apply` takes it. */
import Type from 'typebox'
import { routes } from './route.ts'
import { OneOf, SECRET } from './schema.ts'

const Asked = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 900_000, description: 'YAML. What it leaves out stays as it is' }),
  variables: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 65_536 }), {
      ...SECRET,
      maxProperties: 1000,
      description:
        'The values of the variables in it, which stand for secrets, by their names without dollar sign and braces',
    }),
  ),
  prune: Type.Optional(Type.Boolean({ description: 'Deletes entries that a section of the file does not name' })),
})

const Change = Type.Object({
  verb: OneOf(['create', 'change', 'delete', 'keep'], {
    description: 'keep: prune leaves it although the file does not name it; the details say why',
  }),
  what: Type.String({ examples: ['role Support'] }),
  details: Type.Array(Type.String()),
})

const refused = ['declaration.invalid'] as const

export const tenantFileRoutes = routes({
  exportTenant: {
    method: 'GET',
    path: '/configs/declaration',
    permission: 'all',
    summary: 'Get the configuration of the tenant as a file',
    description: 'YAML without secrets, which are variables in it. Users and organizations are not part of it.',
    status: 200,
    response: Type.Object({ text: Type.String() }),
    errors: ['declaration.not_writable'],
  },
  compareTenant: {
    method: 'POST',
    path: '/configs/declaration/compare',
    permission: 'all',
    summary: 'Show what applying a file would change',
    description: 'Changes nothing: everything is done in a transaction that is rolled back.',
    body: Asked,
    status: 200,
    response: Type.Object({ changes: Type.Array(Change) }),
    errors: refused,
  },
  applyTenant: {
    method: 'POST',
    path: '/configs/declaration/apply',
    permission: 'all',
    summary: 'Bring the tenant to the state that a file describes',
    description:
      'In one transaction: a file that is refused changes nothing. The secrets of new applications are in the response and nowhere else.',
    body: Asked,
    status: 200,
    response: Type.Object({
      changes: Type.Array(Change),
      applications: Type.Array(
        Type.Object({
          name: Type.String(),
          clientId: Type.String(),
          clientSecret: Type.Optional(Type.String({ ...SECRET })),
        }),
        { description: 'Those that were created' },
      ),
    }),
    errors: refused,
  },
})
