/** Uploads in the Experience API. */
import { bound, identifiedErrors } from './experience-steps.ts'
import { routes } from './route.ts'
import { UploadedAsset, uploadErrors } from './user-assets.ts'

export const experienceUploadRoutes = routes({
  uploadAvatar: {
    ...bound,
    method: 'POST',
    path: '/experience/user-assets/avatar',
    summary: 'Upload an avatar',
    description:
      'For the account that is being registered, or the user who signs in: once the interaction is submitted it is their `avatar`, as if its address had been entered with `POST /experience/profile`. The file is an image as `POST /user-assets` takes it; it is cut to a square of at most 512 pixels, as WebP. Unlike requests with JSON, this one needs the header Origin, which browsers send. What no account uses in the end is deleted.',
    upload: true,
    status: 200,
    response: UploadedAsset,
    errors: [
      ...uploadErrors,
      'request.rate_limited',
      'session.interaction_not_found',
      ...identifiedErrors,
      'session.not_supported_for_forgot_password',
    ],
  },
})
