/** Reads a declaration: YAML 1.2 with positions and environment variables; refuses unknown keys. */
import { Declaration } from '@countersign/contract/declaration.ts'
import type { Document, Node, Scalar } from 'yaml'
import { pointerSteps, strictReader } from '../kernel/strict-schema.ts'
import { DeclarationError, type Fault, type Path } from './fault.ts'

export interface ReadDeclaration {
  readonly declaration: Declaration
  /** The fault as shown to the operator: with the file, the line and the column. */
  error(fault: Fault): DeclarationError
}

/** Loaded where a file is read, and not at the start of the server. */
const yaml = () => import('yaml')
type Yaml = Awaited<ReturnType<typeof yaml>>

const DEEPEST = 64
const LARGEST = 16 * 1024 * 1024

/** The offset of the node at a path: of its key, or of itself in a list; of the nearest parent if it is missing. */
const offsetOf = ({ isMap, isSeq, isAlias, isScalar }: Yaml, document: Document, path: Path): number => {
  let node: unknown = document.contents
  let offset = 0
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document)
    let next: unknown
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      if (!pair) return offset
      offset = (pair.key as Scalar).range?.[0] ?? offset
      next = pair.value
    } else if (isSeq(node)) {
      next = node.items[Number(step)]
      offset = (next as Node | undefined)?.range?.[0] ?? offset
    } else return offset
    node = next
  }
  return offset
}

/** `${NAME}` is the variable, `$${NAME}` stays `${NAME}`. Throws the name of one that is not set. */
const withVariables = (text: string, env: Readonly<Record<string, string | undefined>>): string =>
  text.replace(/\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, isEscaped: string, name: string) => {
    if (isEscaped) return whole.slice(1)
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    if (value === undefined) throw new Error(`the variable ${name} is not set`)
    return value
  })

interface Problem {
  readonly offset: number
  readonly reason: string
}

/** Whether variables are substituted below these keys: where secrets are, and not where `${` is part of a script. */
const holdsVariables = ([section, , field]: readonly unknown[]): boolean =>
  section === 'connectors' ||
  section === 'ssoConnectors' ||
  section === 'hooks' ||
  section === 'captchaProvider' ||
  (section === 'jwtCustomizers' && field === 'environmentVariables')

/** Refuses what could not be stored, and substitutes variables. */
const settle = (
  { visit, isScalar, isMap, isPair }: Yaml,
  document: Document,
  env: Readonly<Record<string, string | undefined>>,
): Problem[] => {
  const problems: Problem[] = []
  const at = (node: { range?: readonly number[] | null | undefined }, reason: string) =>
    void problems.push({ offset: node.range?.[0] ?? 0, reason })
  visit(document, {
    Scalar(position, node, path) {
      if (path.length > 2 * DEEPEST) return at(node, `is nested deeper than ${DEEPEST} levels`)
      if (position === 'key' && typeof node.value !== 'string') node.value = String(node.value)
      if (typeof node.value === 'bigint') node.value = Number(node.value)
      if (typeof node.value !== 'string') return
      if (node.value.includes('\0') || !node.value.isWellFormed())
        return at(node, 'contains a character that cannot be stored')
      if (position === 'key' && node.value === '__proto__') return at(node, '__proto__ is not a known key')
      const keys = path.filter(isPair).map(({ key }) => (isScalar(key) ? key.value : undefined))
      if (position === 'key' || !holdsVariables(keys)) return
      try {
        node.value = withVariables(node.value, env)
      } catch (error) {
        at(node, error instanceof Error ? error.message : String(error))
      }
    },
    Pair(_, { key }) {
      if (!isScalar(key)) at(isMap(key) ? key : {}, 'a key must be a string')
    },
  })
  return problems
}

/** The name of a place in a fault: its key, or its list and its position there. */
const nameOf = (value: unknown, path: readonly string[]): string => {
  let node: unknown = value
  let name = 'the file'
  for (const step of path) {
    name = Array.isArray(node) ? `${name}[${step}]` : step
    node = typeof node === 'object' && node !== null ? Reflect.get(node, step) : undefined
  }
  return name
}

/**
 * Reads a declaration. Throws DeclarationError with every fault that was found.
 * @param file its name in faults
 * @param env the environment, for variables
 */
export const readDeclaration = async (
  text: string,
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadDeclaration> => {
  const library = await yaml()
  const lines = new library.LineCounter()
  const fail = (faults: readonly Problem[]) => {
    const placed = faults.map(({ offset, reason }) => {
      const { line, col } = lines.linePos(offset)
      return { line, column: col, reason }
    })
    return new DeclarationError(
      placed.map(({ line, column, reason }) => `${file}:${line}:${column}: ${reason}`).join('\n'),
      placed,
    )
  }

  if (text.length > LARGEST) throw new DeclarationError(`${file} is larger than ${LARGEST} bytes.`)
  const document = library.parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: false })
  const unread = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    offset: pos[0],
    reason: message,
  }))
  if (unread.length > 0) throw fail(unread)
  const problems = settle(library, document, env)
  if (problems.length > 0) throw fail(problems)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new DeclarationError(`${file}: ${error instanceof Error ? error.message : error}`)
  }
  if (value === null || value === undefined) throw new DeclarationError(`${file} declares nothing.`)
  const reader = strictReader(Declaration)
  if (!reader.fits(value)) {
    const issues = reader.issues(value).map(({ path, reason }) => {
      const where = pointerSteps(path)
      return { offset: offsetOf(library, document, where), reason: `${nameOf(value, where)} ${reason}` }
    })
    throw fail(issues)
  }
  return {
    declaration: value,
    error: (fault) => fail([{ offset: offsetOf(library, document, fault.path), reason: fault.message }]),
  }
}
