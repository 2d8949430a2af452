/** Uploads of an interaction. */
import { experienceUploadRoutes } from '@countersign/contract/experience-uploads.ts'
import { uploadAvatar } from '../domain/sign-in/avatar.ts'
import { bind } from '../http/api.ts'
import { stepOf } from './interaction.ts'

export const experienceUploadHandlers = bind(experienceUploadRoutes, {
  async uploadAvatar({ body }, call) {
    return { url: await uploadAvatar(await stepOf(call), body.file) }
  },
})
