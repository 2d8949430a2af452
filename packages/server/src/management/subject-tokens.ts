/** `/subject-tokens`. */
import { subjectTokenRoutes } from '@countersign/contract/subject-tokens.ts'
import { createSubjectToken, SUBJECT_TOKEN_SECONDS } from '../domain/issued/subject-tokens.ts'
import { bind } from '../http/api.ts'

export const subjectTokenHandlers = bind(subjectTokenRoutes, {
  async createSubjectToken({ body }, { perform }) {
    const subjectToken = await perform(createSubjectToken, body.userId, body.context ?? {}, body.mayAct)
    return { subjectToken, expiresIn: SUBJECT_TOKEN_SECONDS }
  },
})
