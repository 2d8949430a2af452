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
      cimdClientId: Type.Optional(
        Type.String({ description: 'The same for a client whose id is the address of its metadata' }),
      ),
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

const filters = {
  userId: Type.Optional(Type.String({ maxLength: 21 })),
  applicationId: Type.Optional(
    Type.String({ maxLength: 2048, description: 'An id, or the address of the metadata of a client' }),
  ),
  entity: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'The id of a user, role, application and so on: only operations that concerned it',
    }),
  ),
  logKey: Type.Optional(Type.String({ maxLength: 128 })),
  withoutRenewals: Type.Optional(
    OneOf(['true', 'false'], {
      description:
        'true: leaves out that the console got its tokens, as it does every ten minutes and whenever it is loaded. What was refused to it is there, and so are the sign-ins of its users',
    }),
  ),
}
const RequestId = Type.String({ minLength: 1, maxLength: 64 })
const Result = OneOf(['Success', 'Error'])

export const logRoutes = routes({
  listLogs: {
    method: 'GET',
    path: '/logs',
    permission: 'read:logs',
    list: true,
    summary: 'List audit log entries, newest first',
    description: 'Entries of tokens issued without a database transaction appear within a second.',
    query: Type.Object({
      ...filters,
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
  followLogs: {
    method: 'GET',
    path: '/logs/live',
    permission: 'read:logs',
    summary: 'Follow the audit log as it grows',
    description:
      'Without `since`: no entries, and a cursor for what comes from now on. With it: the entries since then, at once if there are any, otherwise as soon as there are or after `wait` seconds. Ask again with the new cursor. Every entry comes once, as soon as its transaction is visible.',
    query: Type.Object({
      ...filters,
      requestId: Type.Optional(RequestId),
      result: Type.Optional(Result),
      since: Type.Optional(Type.String({ maxLength: 8192, description: 'The `cursor` of the previous response' })),
      wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, description: 'Seconds. Default 0' })),
    }),
    status: 200,
    response: Type.Object({
      entries: Type.Array(AuditLog, { description: 'Oldest first, at most 200' }),
      cursor: Type.String(),
      isCut: Type.Boolean({ description: 'There were more than 200; the oldest are left out' }),
    }),
    errors: ['guard.invalid_pagination', 'request.unavailable'],
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
