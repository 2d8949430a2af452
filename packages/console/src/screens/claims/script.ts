/** A claims script as a form holds it: each field a text; what a new one begins with; what is sent for it. */
import type { Answer, Input } from '../../api/client.ts'

export const TOKENS = ['access-token', 'client-credentials'] as const
export type Token = (typeof TOKENS)[number]

export const KEYS = { 'access-token': 'jwt.accessToken', 'client-credentials': 'jwt.clientCredentials' } as const

type Customizer = Answer<'getJwtCustomizer'>
type Body = NonNullable<Input<'putJwtCustomizer'>>['body']
export type ScriptValues = Readonly<
  Record<
    'script' | 'environmentVariables' | 'tokenSample' | 'contextSample' | 'blockIssuanceOnError' | 'cpuLimit',
    string
  >
>

/** Variables hold credentials: no draft keeps them. */
export const SECRET_FIELDS: readonly (keyof ScriptValues)[] = ['environmentVariables']

/** The fields that hold JSON objects. */
export const OBJECTS = ['tokenSample', 'contextSample', 'environmentVariables'] as const

const SCRIPT = `/** Returns the claims that are added to the token. */
const getCustomJwtClaims = async ({ token, context, environmentVariables, api }) => {
  return {}
}
`

const application = { id: 'an-application', name: 'Portal', type: 'SPA', customData: {} }

const SAMPLES = {
  'access-token': {
    token: {
      kind: 'AccessToken',
      aud: 'https://api.example.com',
      scope: 'read:orders',
      clientId: 'an-application',
      accountId: 'a-user',
    },
    context: {
      application,
      user: {
        id: 'a-user',
        username: 'ada',
        primaryEmail: 'ada@example.com',
        name: 'Ada',
        customData: {},
        roles: [{ id: 'a-role', name: 'editor', scopes: [{ name: 'read:orders' }] }],
        organizations: [],
        organizationRoles: [],
      },
    },
  },
  'client-credentials': {
    token: {
      kind: 'ClientCredentials',
      aud: 'https://api.example.com',
      scope: 'read:orders',
      clientId: 'an-application',
    },
    context: { application: { ...application, type: 'MachineToMachine' } },
  },
} as const

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** @param stored undefined: there is none yet */
export const valuesOf = (token: Token, stored: Customizer | undefined): ScriptValues => ({
  script: stored?.script ?? SCRIPT,
  environmentVariables: json(stored?.environmentVariables ?? {}),
  tokenSample: json(stored?.tokenSample ?? SAMPLES[token].token),
  contextSample: json(stored?.contextSample ?? SAMPLES[token].context),
  blockIssuanceOnError: String(stored?.blockIssuanceOnError ?? true),
  cpuLimit: String(stored?.cpuLimit ?? ''),
})

/** An object from its text; undefined where the text is none. */
export const objectOf = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** What is saved; the objects have to be readable. */
export const bodyOf = (values: ScriptValues): Body => ({
  script: values.script,
  environmentVariables: (objectOf(values.environmentVariables) ?? {}) as NonNullable<Body['environmentVariables']>,
  tokenSample: objectOf(values.tokenSample) ?? {},
  contextSample: objectOf(values.contextSample) ?? {},
  blockIssuanceOnError: values.blockIssuanceOnError === 'true',
  ...(values.cpuLimit.trim() ? { cpuLimit: Number(values.cpuLimit) } : {}),
})
