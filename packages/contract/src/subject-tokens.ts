/** Subject tokens: what lets a backend act as a user once (SPEC 2.4, 4.5, DECISIONS H4). */
import Type from 'typebox'
import { routes } from './route.ts'
import { JsonObject, SECRET } from './schema.ts'

export const subjectTokenRoutes = routes({
  createSubjectToken: {
    method: 'POST',
    path: '/subject-tokens',
    permission: 'write:subject-tokens',
    summary: 'Create a subject token',
    description:
      'For one token exchange within ten minutes. Your backend has to decide whether the requester may impersonate this user before it calls this.',
    body: Type.Object({
      userId: Type.String({ minLength: 1, maxLength: 21, description: 'The user to be impersonated' }),
      context: Type.Optional(JsonObject),
      mayAct: Type.Optional(
        Type.Object(
          {
            userId: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 21,
                description: 'The user of the actor token that must come with it',
              }),
            ),
            applicationId: Type.Optional(
              Type.String({ minLength: 1, maxLength: 21, description: 'The application that may exchange it' }),
            ),
          },
          {
            minProperties: 1,
            description: 'Who alone may act as the user with it (may_act of RFC 8693 section 4.4). Anyone by default',
          },
        ),
      ),
    }),
    status: 201,
    response: Type.Object({
      subjectToken: Type.String({ ...SECRET, description: 'Shown only once' }),
      expiresIn: Type.Integer({ description: 'Seconds' }),
    }),
    errors: ['entity.not_exists_with_id', 'subject_token.user_suspended', 'subject_token.context_too_large'],
  },
})
