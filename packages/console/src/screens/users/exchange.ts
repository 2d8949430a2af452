/** The request that exchanges a subject token for an access token of its user (RFC 8693), as a command. */
import type { Answer } from '../../api/client.ts'

type Application = Answer<'listApplications'>[number]
type Resource = Answer<'listResources'>[number]

const TYPE = 'urn:ietf:params:oauth'
const PUBLIC: ReadonlySet<Application['type']> = new Set(['SPA', 'Native'])

/** A text between single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** @param resource the API that the token is for, with all of its permissions that the user has */
export const exchangeOf = (token: string, { id, type }: Application, { indicator, scopes = [] }: Resource): string =>
  [
    `curl ${quoted(`${location.origin}/oidc/token`)}`,
    PUBLIC.has(type) ? `  -d client_id=${id}` : `  -u "${id}:$SECRET"`,
    `  -d grant_type=${TYPE}:grant-type:token-exchange`,
    `  -d subject_token=${token}`,
    `  -d subject_token_type=${TYPE}:token-type:access_token`,
    `  --data-urlencode resource=${quoted(indicator)}`,
    `  --data-urlencode scope=${quoted(scopes.map(({ name }) => name).join(' '))}`,
  ].join(' \\\n')
