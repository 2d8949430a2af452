/**
 * What an operation showed, as lines of a tenant file for `countersign apply`: of each answer the members that a file has, so that lines
 * and screen come from the same values. Members that a file names otherwise, such as the permissions of a role, are left out, and
 * what is left out stays as it is. Secrets are variables.
 */
import type { Operation } from '../api/client.ts'
import { SECTIONS } from '../api/sections.ts'

/** The section of a file that an operation reads or changes. */
const SECTION_OF: Partial<Record<Operation, string>> = {
  getApplication: 'applications',
  listApplications: 'applications',
  getSamlApplication: 'samlApplications',
  getResource: 'resources',
  listResources: 'resources',
  getRole: 'roles',
  listRoles: 'roles',
  getConnector: 'connectors',
  listConnectors: 'connectors',
  getSsoConnector: 'ssoConnectors',
  getHook: 'hooks',
  listHooks: 'hooks',
  getSignInExperience: 'signInExperience',
  getAccountCenter: 'accountCenter',
  getClientRegistration: 'clientRegistration',
  getCimdConfig: 'clientDocuments',
  getIdTokenSettings: 'idToken',
  listCustomProfileFields: 'customProfileFields',
}

type Fields = Readonly<Record<string, unknown>>

const SECRET = /secret|password|token$|privateKey|apiKey|accessKey/i

const variable = (...names: readonly string[]): string =>
  `\${${names
    .join('_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()}}`

/** Secrets below a configuration become variables, named after the thing. */
const withoutSecrets = (thing: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(thing, each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && SECRET.test(name) ? variable(thing, name) : withoutSecrets(thing, inner),
    ]),
  )
}

/** The headers of a webhook may hold credentials: a file keeps the stored ones by null. */
const withoutHeaders = ({ headers, ...config }: Fields): Fields => ({
  ...config,
  ...(headers ? { headers: Object.fromEntries(Object.keys(headers).map((name) => [name, null])) } : {}),
})

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

const entryOf = (section: string, members: readonly string[], answer: Fields): Fields => {
  const kept = Object.fromEntries(
    members.filter((name) => !isEmpty(answer[name])).map((name) => [name, answer[name]] as const),
  )
  if (section === 'hooks') return { ...kept, config: withoutHeaders((answer.config ?? {}) as Fields) }
  const name = String(answer.connectorId ?? answer.connectorName ?? section)
  return section === 'connectors' || section === 'ssoConnectors'
    ? { ...kept, config: withoutSecrets(name, answer.config ?? {}) }
    : kept
}

/** Whether what the operation shows is in a tenant file. */
export const isDeclared = (id: Operation): boolean => SECTION_OF[id] !== undefined

/** The lines as YAML; empty where there is nothing to show. @param answer of the operation */
export const applyLinesOf = async (id: Operation, answer: unknown): Promise<string> => {
  const section = SECTION_OF[id]
  const { isList, members } = (section === undefined ? undefined : SECTIONS[section]) ?? { isList: false, members: [] }
  if (section === undefined || members.length === 0) return ''
  const entries = (Array.isArray(answer) ? answer : [answer]).map((each) => entryOf(section, members, each as Fields))
  const { stringify } = await import('yaml')
  return stringify({ [section]: isList ? entries : entries[0] }, { lineWidth: 0, aliasDuplicateObjects: false })
}
