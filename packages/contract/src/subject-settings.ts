/** What an application learns of its users' identity (OpenID Connect Core sections 5.4 and 8): settings, and whom an identifier names. */
import Type from 'typebox'
import { routes } from './route.ts'
import { Id, OneOf } from './schema.ts'
import { SIGNING_ALGORITHMS } from './signing-keys.ts'

/** Members of an application's `customClientMetadata`. */
export const SUBJECT_SETTINGS = {
  subjectType: Type.Optional(
    OneOf(['public', 'pairwise'], {
      description:
        '`pairwise`: ID tokens, userinfo and logout tokens name each user by an identifier that applications of other hosts do not get. `public` by default: the id of the user. A change gives every user another identifier',
    }),
  ),
  sectorIdentifierUri: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description:
        'Applications with the same one get the same pairwise identifiers. An https address with a JSON array that lists the redirect URIs of all of them; required where they have several hosts, and for native applications',
    }),
  ),
  idTokenClaims: Type.Optional(
    OneOf(['scopes', 'requested'], {
      description:
        'What ID tokens say about the user: the claims of the requested scopes, which is the default, or only those that the parameter `claims` names (OpenID Connect Core section 5.4). Userinfo has those of the scopes in any case',
    }),
  ),
  userinfoSignedResponseAlg: Type.Optional(
    OneOf(SIGNING_ALGORITHMS, {
      description: 'Userinfo answers with a JWT that is signed with this algorithm, instead of JSON',
    }),
  ),
} as const

const Subject = Type.String({ minLength: 1, maxLength: 255 })

export const subjectRoutes = routes({
  findApplicationSubject: {
    method: 'GET',
    path: '/applications/:applicationId/subjects/:userId',
    permission: 'read:applications',
    alsoPermission: 'read:users',
    summary: 'Find by which identifier an application knows a user',
    description:
      'Takes the id of the user, or a `sub` that the application reports, and answers with both. Of a user who never signed in there, too.',
    params: Type.Object({ applicationId: Id, userId: Subject }),
    status: 200,
    response: Type.Object({ userId: Id, subject: Subject, subjectType: OneOf(['public', 'pairwise']) }),
    errors: ['entity.not_exists_with_id'],
  },
})
