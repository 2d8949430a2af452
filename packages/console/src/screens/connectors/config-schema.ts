/** The configuration of a connector as a form: its fields, read from the JSON Schema of its kind, and its values as texts. */
import { errorAt } from '../../parts/form.ts'

interface Part {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Part>>
  readonly required?: readonly string[]
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Part[]
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly maxLength?: number
  readonly 'x-secret'?: boolean
}

export interface ConfigField {
  /** Where it is in the body of a request: `config.auth.user`. */
  readonly path: string
  readonly label: string
  readonly shape: 'line' | 'text' | 'number' | 'choice' | 'flag' | 'json'
  readonly isRequired: boolean
  readonly isSecret: boolean
  readonly isText: boolean
  readonly choices: readonly string[]
  readonly hint: string | undefined
  readonly placeholder: string | undefined
}

interface ConfigGroup {
  /** The member that holds them; undefined for those at the top. */
  readonly label: string | undefined
  readonly hint: string | undefined
  readonly fields: readonly ConfigField[]
}

const LONG = 4096
const NAMES: Readonly<Record<string, string>> = {
  pass: 'Password',
  user: 'User name',
  auth: 'Sign-in at the server',
  tls: 'TLS',
}

/** `clientSecret` as "Client secret", `accountSID` as "Account SID". */
const labelOf = (name: string): string => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(' ')
  const lower = words.map((word) => (word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase()))
  const text = lower.join(' ')
  return NAMES[name] ?? text.charAt(0).toUpperCase() + text.slice(1)
}

const shapeOf = (part: Part): ConfigField['shape'] => {
  if (part.enum) return 'choice'
  if (part.type === 'boolean') return 'flag'
  if (part.type === 'integer' || part.type === 'number') return 'number'
  if (part.type !== 'string') return 'json'
  return (part.maxLength ?? 0) > LONG || /\bPEM\b/.test(part.description ?? '') ? 'text' : 'line'
}

const fieldOf = (path: string, name: string, part: Part, isRequired: boolean): ConfigField => {
  const [example] = part.examples ?? []
  return {
    path,
    label: labelOf(name),
    shape: shapeOf(part),
    isRequired,
    isSecret: part['x-secret'] === true,
    isText: part.type === 'string' || (part.anyOf ?? []).some(({ type }) => type === 'string'),
    choices: part.enum ?? [],
    hint: part.description,
    placeholder: example === undefined ? undefined : String(example),
  }
}

/** A choice of one says nothing. */
const isAsked = ({ shape, choices }: ConfigField): boolean => shape !== 'choice' || choices.length > 1

/** The fields: those at the top first, then the members that have members. @param schema JSON Schema of the configuration */
export const groupsOf = (schema: object): readonly ConfigGroup[] => {
  const { properties = {}, required = [] } = schema as Part
  const parts = Object.entries(properties)
  const top = parts.filter(([, { properties: inner }]) => inner === undefined)
  return [
    {
      label: undefined,
      hint: undefined,
      fields: top.map(([name, part]) => fieldOf(`config.${name}`, name, part, required.includes(name))).filter(isAsked),
    },
    ...parts
      .filter(([, { properties: inner }]) => inner !== undefined)
      .map(([name, { properties: inner = {}, description }]) => ({
        label: labelOf(name),
        hint: description,
        fields: Object.entries(inner)
          .map(([each, part]) => fieldOf(`config.${name}.${each}`, each, part, false))
          .filter(isAsked),
      })),
  ]
}

export const fieldsOf = (schema: object): readonly ConfigField[] => groupsOf(schema).flatMap(({ fields }) => fields)

const at = (config: unknown, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
      config,
    )

const textOf = ({ shape }: ConfigField, value: unknown): string => {
  if (value === undefined || value === null) return ''
  return shape === 'json' && typeof value !== 'string' ? JSON.stringify(value, null, 2) : String(value)
}

/** The values of a form, by the paths of the fields. */
export const textsOf = (schema: object, config: unknown): Record<string, string> =>
  Object.fromEntries(fieldsOf(schema).map((field) => [field.path, textOf(field, at(config, field.path))]))

const readText = ({ shape, isText }: ConfigField, text: string): unknown => {
  if (shape === 'number') return Number(text)
  if (shape === 'flag') return text === 'true'
  if (shape !== 'json') return shape === 'text' ? text : text.trim()
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    if (isText) return text
    throw cause
  }
}

/** What a form says: the configuration, and the fields that hold no JSON although they have to. */
export const configOf = (schema: object, texts: Readonly<Record<string, string>>) => {
  const config: Record<string, unknown> = {}
  const unreadable = new Set<string>()
  for (const field of fieldsOf(schema)) {
    const text = texts[field.path] ?? ''
    if (text.trim() === '') continue
    const [, name = '', inner] = field.path.split('.')
    try {
      const value = readText(field, text)
      config[name] = inner === undefined ? value : { ...(config[name] as object | undefined), [inner]: value }
    } catch {
      unreadable.add(field.path)
    }
  }
  return { config, unreadable }
}

/** Whether a refusal is shown at a field of the configuration. */
export const isAtField = (schema: object, error: unknown): boolean =>
  fieldsOf(schema).some(({ path }) => errorAt(error, path) !== undefined)
