/** An example request as a curl command. Values come from the schemas' own examples first. */
import { VERIFICATION_HEADER } from '@countersign/contract/account-verifications.ts'
import type { Route } from '@countersign/contract/route.ts'
import { branches, type Schema } from './schema-words.ts'

const LONGEST_LINE = 60

/** What a text field may hold when its schema gives no example: by the end of its name. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/ids?$/i, 'a8k2m0q4v6x1c3b5n7z9e'],
  [/indicator$/i, 'https://orders.example.com/api'],
  [/ur[il]s?$|origins$/i, 'https://app.example.com/callback'],
  [/email$/i, 'ada@example.com'],
  [/phone$/i, '+12025550123'],
  [/description$/i, 'What it is for'],
  [/name$/i, 'orders'],
]

const text = (name: string, { format }: Schema): string =>
  format === 'date-time'
    ? '2026-11-21T09:30:00.000Z'
    : (WORDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'example')

const object = ({ properties, required = [] }: Schema): Record<string, unknown> => {
  if (!properties) return { team: 'billing' }
  const names = Object.keys(properties)
  // a change with no required field would change nothing: show its first
  const shown = required.length > 0 ? required : names.slice(0, 1)
  return Object.fromEntries(shown.map((name) => [name, exampleOf(properties[name] ?? {}, name)]))
}

/** A value that follows the schema. @param name of the field that holds it */
export const exampleOf = (schema: Schema, name = ''): unknown => {
  const branch = branches(schema).find(({ type }) => type !== 'null') ?? schema
  const given = [schema, branch].flatMap(({ examples = [], default: fallback }) => [...examples, fallback])
  const [known] = [...given, branch.const, branch.enum?.[0]].filter((value) => value !== undefined)
  if (known !== undefined) return known
  switch (branch.type) {
    case 'object':
      return object(branch)
    case 'array':
      return [exampleOf(branch.items ?? {}, name)]
    case 'integer':
    case 'number':
      return branch.minimum ?? 1
    case 'boolean':
      return true
    default:
      return text(name, branch)
  }
}

/** A word as a POSIX shell reads it, whatever it contains. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const requestPath = ({ path, params, query }: Route): string => {
  const schemas = (params?.properties ?? {}) as Record<string, Schema>
  const filled = path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(exampleOf(schemas[name] ?? {}, name))),
  )
  const { properties = {}, required = [] } = (query ?? {}) as Schema
  const search = new URLSearchParams(required.map((name) => [name, String(exampleOf(properties[name] ?? {}, name))]))
  return search.size > 0 ? `${filled}?${search}` : filled
}

/**
 * The command that calls the operation, with the token that "Get a token" keeps in TOKEN, or that of a user, and the id of a
 * verification in VERIFICATION.
 */
export const curlOf = (route: Route, managementApi: string): string => {
  const body = route.body ? exampleOf(route.body as Schema) : undefined
  const compact = JSON.stringify(body)
  const shown = compact && compact.length > LONGEST_LINE ? JSON.stringify(body, null, 2) : compact
  const method = route.method === 'GET' ? '' : `-X ${route.method} `
  return [
    `curl ${method}${shellWord(`${managementApi}${requestPath(route)}`)}`,
    ...(route.permission || route.scopes ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(route.proof ? [`-H "${VERIFICATION_HEADER}: $VERIFICATION"`] : []),
    ...(route.upload ? ['-F file=@logo.png'] : []),
    ...(shown ? ["-H 'Content-Type: application/json'", `-d ${shellWord(shown)}`] : []),
  ].join(' \\\n  ')
}
