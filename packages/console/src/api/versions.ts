/**
 * Which version of each thing was read, by its address, and which one a form was made from: what is typed stands on that one, however
 * often the screen is read again meanwhile.
 */
import { UNKNOWN } from './merge.ts'

export interface Version {
  readonly etag: string
  /** UNKNOWN after a reload: no draft keeps what the server answered. */
  readonly answer: unknown
}

type Versions = Map<string, Version>

const read: Versions = new Map()
/** By the name of the form, in the order in which they were begun. */
const held = new Map<string, Versions>()

const keyOf = (form: string) => `console.draft.${form}#versions`

/** Versions from before a reload. */
const storedOf = (form: string): Versions | undefined => {
  const text = sessionStorage.getItem(keyOf(form))
  if (text === null) return undefined
  return new Map(
    Object.entries(JSON.parse(text) as Record<string, string>).map(([address, etag]) => {
      const known = read.get(address)
      return [address, known?.etag === etag ? known : { etag, answer: UNKNOWN }]
    }),
  )
}

const store = (form: string, versions: Versions): void =>
  sessionStorage.setItem(
    keyOf(form),
    JSON.stringify(Object.fromEntries([...versions].map(([address, { etag }]) => [address, etag]))),
  )

/** Something was read. */
export const keepVersion = (address: string, version: Version): void => void read.set(address, version)

/** The form has something typed in it: what it stands on is kept, over a reload too. */
export const holdVersions = (form: string): void => {
  if (held.has(form)) return
  const versions = storedOf(form) ?? new Map(read)
  held.set(form, versions)
  store(form, versions)
}

/** The form is not on the screen any more, or has nothing typed in it. */
export const releaseVersions = (form: string): void => void held.delete(form)

/** The form has no draft any more. */
export const forgetVersions = (form: string): void => sessionStorage.removeItem(keyOf(form))

/** What a change of this address stands on; undefined when no version of it was read. */
export const versionOf = (address: string): Version | undefined => {
  for (const versions of held.values()) {
    const version = versions.get(address)
    if (version) return version
  }
  return read.get(address)
}

/** A change of ours made another version of it: the forms that stood on the one before stand on this one. */
export const replaceVersion = (address: string, before: Version, after: Version | undefined): void => {
  if (after) read.set(address, after)
  else read.delete(address)
  for (const [form, versions] of held) {
    if (versions.get(address)?.etag !== before.etag) continue
    if (after) versions.set(address, after)
    else versions.delete(address)
    store(form, versions)
  }
}
