/** How an application looks on the sign-in and consent pages, over the settings of the tenant. */
import Type from 'typebox'
import { routes, type Version } from './route.ts'
import { Id, Nullable, OneOf } from './schema.ts'
import { Branding, Color } from './sign-in-experience.ts'

const Look = {
  color: Type.Partial(
    Type.Object({ primaryColor: Color, isDarkModeEnabled: Type.Boolean(), darkPrimaryColor: Color }),
    { description: 'Fields that are left out take the tenant’s values' },
  ),
  branding: Branding,
  customCss: Nullable(
    Type.String({
      maxLength: 262_144,
      description:
        'A style sheet for the pages about this application, behind that of the tenant, as `customCss` of the sign-in settings. Those of third-party applications are not applied. The empty string is null',
    }),
  ),
  displayName: Nullable(
    Type.String({
      maxLength: 256,
      description: 'The name of the application on the pages; null or the empty string: its own name',
    }),
  ),
  termsOfUseUrl: Nullable(Type.String({ maxLength: 2048, description: 'http or https; the empty string is null' })),
  privacyPolicyUrl: Nullable(Type.String({ maxLength: 2048, description: 'http or https; the empty string is null' })),
}

const ApplicationSignInExperience = Type.Object({ tenantId: Type.String(), applicationId: Id, ...Look })
export const ApplicationSignInExperienceUpdate = Type.Partial(Type.Object(Look))

const VERSION: Version = { ignores: [], query: { orEmpty: 'true' } }
const OfApplication = Type.Object({ applicationId: Id })

export const applicationSignInExperienceRoutes = routes({
  getApplicationSignInExperience: {
    method: 'GET',
    path: '/applications/:applicationId/sign-in-experience',
    permission: 'read:applications',
    version: VERSION,
    summary: 'Get how an application looks on the pages',
    description: '404 if nothing has been set for it, unless `orEmpty` is true.',
    params: OfApplication,
    query: Type.Object({
      orEmpty: Type.Optional(OneOf(['true', 'false'], { description: 'Answers with empty fields in place of 404' })),
    }),
    status: 200,
    response: ApplicationSignInExperience,
    errors: ['entity.not_exists_with_id'],
  },
  putApplicationSignInExperience: {
    method: 'PUT',
    path: '/applications/:applicationId/sign-in-experience',
    permission: 'write:applications',
    version: VERSION,
    summary: 'Set how an application looks on the pages',
    description:
      'Each field in the request is replaced as a whole; omitted fields stay as they are. The first time the status is 201. Third-party applications show their terms and their privacy policy where consent is asked for.',
    params: OfApplication,
    body: ApplicationSignInExperienceUpdate,
    status: 200,
    otherStatus: 201,
    response: ApplicationSignInExperience,
    errors: ['entity.not_exists_with_id'],
  },
})
