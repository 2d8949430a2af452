/** Pages as users would see them with settings that are not saved: text to look at, which no address shows. */
import Type from 'typebox'
import { routes } from './route.ts'
import { OneOf } from './schema.ts'
import { SignInExperienceUpdate } from './sign-in-experience.ts'

export const PREVIEWED_PAGES = [
  'sign-in',
  'register',
  'extra-profile',
  'code',
  'forgot-password',
  'second-factor',
  'consent',
  'account',
] as const

export const pagePreviewRoutes = routes({
  previewPage: {
    method: 'POST',
    path: '/sign-in-exp/preview',
    permission: 'read:sign-in-exp',
    summary: 'Show a page with settings that are not saved',
    description:
      'The page is the one that users get, without its scripts, and its forms lead nowhere. Passkeys and the captcha, which need scripts, are left out. Show it in a frame with `sandbox="allow-same-origin"`. `settings` is what differs from those that are stored, as in `PATCH /sign-in-exp`.',
    body: Type.Object({
      screen: Type.Optional(
        OneOf(PREVIEWED_PAGES, {
          description:
            'sign-in by default. Where settings leave a page out, the nearest one is shown, and registration where it asks for no fields of profiles; the account page shows every part of an account as long as account pages are off',
        }),
      ),
      language: Type.Optional(Type.String({ maxLength: 35, description: 'BCP 47; the fallback language by default' })),
      applicationId: Type.Optional(
        Type.String({ maxLength: 21, description: 'An application whose colours and logos replace the tenant’s' }),
      ),
      applicationName: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 256,
          description: 'The name of an application that is not named by its id, in place of a sample’s',
        }),
      ),
      organizationId: Type.Optional(
        Type.String({ maxLength: 21, description: 'An organization whose colours and logos replace both' }),
      ),
      // who is exempt from single sign-on is on no page
      settings: Type.Optional(Type.Omit(SignInExperienceUpdate, ['singleSignOnExemptUserIds'])),
    }),
    status: 200,
    response: Type.Object({
      html: Type.String({ description: 'The document, without its style sheet' }),
      css: Type.String({ description: 'The style sheet of the document' }),
    }),
    errors: [
      'entity.not_exists_with_id',
      'request.feature_not_supported',
      'sign_in_experiences.missing_sign_up_identifiers',
    ],
  },
})
