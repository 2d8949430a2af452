/**
 * What an audit entry says about the entities that an operation concerned: which they are, and what changed in them.
 */
import { isDeepStrictEqual } from 'node:util'
import type { NamedEntity } from '../kernel/caller.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields of an entity around a change, as the Management API names them. */
export interface EntityChange {
  readonly before?: Fields
  readonly after?: Fields
}

/** A value that an entry must not show: only the fact that it changed. */
export class Withheld {
  readonly #value: unknown
  constructor(value: unknown) {
    this.#value = value
  }
  isSameAs(other: unknown): boolean {
    return other instanceof Withheld && isDeepStrictEqual(this.#value, other.#value)
  }
  toJSON(): string {
    return '(withheld)'
  }
}

/** The most characters of one value, as text or JSON. */
const MOST_CHARACTERS = 1000
/** The most entities that an entry lists; it is found by the others too. */
const MOST_LISTED = 200

/** A value as stored in an entry: a long one is cut to the beginning of its JSON. */
export const cutValue = (value: unknown): unknown => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length <= MOST_CHARACTERS ? value : `${text.slice(0, MOST_CHARACTERS)}…`
}

const isSame = (one: unknown, other: unknown): boolean =>
  one instanceof Withheld ? one.isSameAs(other) : isDeepStrictEqual(one, other)

/** The fields that differ, before and after; for a created or deleted entity, its name. */
const changeOf = ({ before, after }: EntityChange): object => {
  if (!before || !after) {
    const { name } = before ?? after ?? {}
    return typeof name === 'string' ? { name: cutValue(name) } : {}
  }
  const changed = Object.keys(after).filter((field) => !isSame(after[field], before[field]))
  const some = (of: Fields) => Object.fromEntries(changed.map((field) => [field, cutValue(of[field] ?? null)]))
  return changed.length > 0 ? { before: some(before), after: some(after) } : {}
}

/** Gathers the entities of one entry. */
export class AuditEntities {
  readonly #listed = new Map<string, object>()
  readonly #ids = new Set<string>()

  /** @param change what changed in it, if known */
  add(type: string, id: string, change: EntityChange = {}): void {
    this.#ids.add(id)
    const key = `${type} ${id}`
    if (this.#listed.has(key) || this.#listed.size < MOST_LISTED)
      this.#listed.set(key, { type, id, ...this.#listed.get(key), ...changeOf(change) })
  }

  /** Adds what the request named, unless an operation has already recorded more about it. */
  addNamed(named: readonly NamedEntity[]): void {
    for (const { type, id } of named) this.add(type, id)
  }

  /** The ids that the entry is found by; null when there are none. */
  get ids(): string[] | null {
    return this.#ids.size === 0 ? null : [...this.#ids]
  }

  /** The facts of the entry: the entities, and how many there are beyond those listed. */
  get facts(): object {
    if (this.#ids.size === 0) return {}
    const more = this.#ids.size - this.#listed.size
    return { entities: [...this.#listed.values()], ...(more > 0 ? { furtherEntities: more } : {}) }
  }
}
