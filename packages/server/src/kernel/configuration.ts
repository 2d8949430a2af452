/**
 * How configuration is declared and read: an option is an environment variable, a default, one sentence and a parser.
 * Each module declares the options it owns; `countersign config` and the generated page list them all.
 */

import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'

/** A bad value of an option. The message is one sentence that names the variable (DECISIONS A1). */
export class ConfigurationError extends Error {}

export interface Option<T> {
  readonly env: string
  /** The text used when the variable is not set; undefined: the option is then absent. */
  readonly default: string | undefined
  readonly description: string
  /** Its value is never printed. */
  readonly secret?: true
  /** Turns the text into the value; throws a sentence fragment such as "must be a number" otherwise. */
  readonly parse: (text: string) => T
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>
export type OptionValues<S extends OptionTable> = {
  readonly [K in keyof S]: S[K] extends Option<infer T> ? (S[K]['default'] extends string ? T : T | undefined) : never
}

/** Declares an option; keeps whether it has a default in the type. */
export const option = <T, const D extends string | undefined>(
  definition: Omit<Option<T>, 'default'> & { default: D },
): Option<T> & { default: D } => definition

/** Reads a table of options from the environment. An empty variable counts as not set. */
export const readOptions = <S extends OptionTable>(table: S, env: NodeJS.ProcessEnv): OptionValues<S> => {
  const entries = Object.entries(table).map(([name, { env: variable, default: fallback, parse, secret }]) => {
    const text = env[variable]?.trim() || fallback
    if (text === undefined) return [name, undefined]
    try {
      return [name, parse(text)]
    } catch (error) {
      const shown = secret ? '' : ` (it is "${text}")`
      throw new ConfigurationError(`${variable} ${error instanceof Error ? error.message : String(error)}${shown}.`)
    }
  })
  return Object.fromEntries(entries) as OptionValues<S>
}

/** A whole number within bounds. */
export const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`)
    }
    return value
  }

/** Any text. */
export const text = (value: string): string => value

/** One of a list of values. */
export const oneOf =
  <const T extends readonly string[]>(words: T) =>
  (value: string): T[number] => {
    if (!words.includes(value)) throw new Error(`must be one of ${words.join(', ')}`)
    return value
  }

/** A file that exists: its absolute path. */
export const readableFile = (value: string): string => {
  const path = resolve(value)
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new Error('must be a file that the server can read')
  }
  return path
}
