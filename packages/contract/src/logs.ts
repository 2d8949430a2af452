/** The audit log: every issued or refused token, every change through the Management API (DECISIONS B6, D5). */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, JsonObject, Moment, OneOf } from './schema.ts'

export const AuditLog = Type.Object({
  tenantId: Type.String(),
  id: Type.String(),
  key: Type.String({ description: 'What happened: ExchangeTokenBy.<grant>, RevokeToken, ManagementApi.<operation>' }),
  payload: Type.Object(
    {
      key: Type.String(),
      result: OneOf(['Success', 'Error']),
      ip: Type.Optional(Type.String()),
      userAgent: Type.Optional(Type.String()),
      userId: Type.Optional(Type.String()),
      applicationId: Type.Optional(Type.String()),
      requestId: Type.Optional(Type.String()),
      entities: Type.Optional(
        Type.Array(
          Type.Object(
            {
              type: Type.String({ examples: ['user', 'role'] }),
              id: Type.String(),
              before: Type.Optional(JsonObject),
              after: Type.Optional(JsonObject),
            },
            { additionalProperties: true },
          ),
          {
            description:
              'What the operation concerned: the entities it created and those it named; the changed fields before and after',
          },
        ),
      ),
    },
    { additionalProperties: true },
  ),
  createdAt: EpochMilliseconds,
})

export const logRoutes = routes({
  listLogs: {
    method: 'GET',
    path: '/logs',
    permission: 'read:logs',
    list: true,
    summary: 'List audit log entries, newest first',
    description: 'Entries of tokens issued without a database transaction appear within a second.',
    query: Type.Object({
      userId: Type.Optional(Type.String({ maxLength: 21 })),
      applicationId: Type.Optional(Type.String({ maxLength: 21 })),
      entity: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'The id of a user, role, application and so on: only operations that concerned it',
        }),
      ),
      logKey: Type.Optional(Type.String({ maxLength: 128 })),
      requestId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description:
            'As answers and error pages name it. Without `start_time` the last 24 hours are searched, and no more than 24 hours from it',
        }),
      ),
      result: Type.Optional(OneOf(['Success', 'Error'], { description: 'Of the same hours as with `requestId`' })),
      start_time: Type.Optional(Moment),
      end_time: Type.Optional(Moment),
    }),
    status: 200,
    response: Type.Array(AuditLog),
    errors: ['log.invalid_time_window'],
  },
  getLog: {
    method: 'GET',
    path: '/logs/:id',
    permission: 'read:logs',
    summary: 'Get an audit log entry',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 21 }) }),
    status: 200,
    response: AuditLog,
    errors: ['entity.not_exists_with_id'],
  },
})
