/**
 * Which passwords users may choose. Checked when users register or change a password, never for the Management
 * API: administrators may set any password.
 *
 * Repetitions ("aaa"), sequences ("abc", "321", "qwe"), the user's names and forbidden words are not counted; more than
 * three characters must remain without them, so that a long password that happens to contain one is still acceptable.
 */
import type { Store } from '../../storage/store.ts'
import { LONGEST_PASSWORD } from './passwords.ts'

export interface PasswordPolicy {
  readonly length: { readonly min: number; readonly max: number }
  /** How many of the four character classes are required: upper case, lower case, digits, everything else. */
  readonly characterTypes: { readonly min: number }
  readonly rejects: {
    /** Whether passwords known from breaches are refused. */
    readonly pwned: boolean
    readonly repetitionAndSequence: boolean
    readonly userInfo: boolean
    readonly words: readonly string[]
  }
}

export const DEFAULT_PASSWORD_POLICY: PasswordPolicy = {
  length: { min: 8, max: LONGEST_PASSWORD },
  characterTypes: { min: 1 },
  rejects: { pwned: false, repetitionAndSequence: true, userInfo: true, words: [] },
}

/** The user's names and identifiers, as far as they are known. */
export type UserInfo = readonly (string | null | undefined)[]

type Restriction = 'repetition' | 'sequence' | 'user_info' | 'words'
export interface PasswordIssue {
  readonly code: `password_rejected.${'too_short' | 'too_long' | 'character_types' | 'pwned' | `restricted.${Restriction}`}`
  readonly interpolation?: Readonly<Record<string, string | number>>
}

const SHORTEST_RUN = 3
/** This many characters besides the restricted ones are too few. */
const TOLERANCE = 3

const ROWS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const SEQUENCES = [...ROWS, ...ROWS.map((row) => [...row].reverse().join(''))]

/** The length of the run that begins here, if there is one. */
type Finder = (text: readonly string[], from: number) => number

const repetition: Finder = (text, from) => {
  let to = from + 1
  while (to < text.length && text[to] === text[from]) to += 1
  return to - from
}

const sequence: Finder = (text, from) => {
  const lengths = SEQUENCES.map((row) => {
    const start = row.indexOf(text[from] ?? '')
    if (start < 0) return 0
    let length = 1
    while (from + length < text.length && row[start + length] === text[from + length]) length += 1
    return length
  })
  return Math.max(...lengths)
}

const oneOf =
  (words: readonly string[]): Finder =>
  (text, from) =>
    Math.max(
      0,
      ...words.map((word) => ([...word].every((each, at) => text[from + at] === each) ? [...word].length : 0)),
    )

const fold = (text: string): string => text.normalize('NFC').toLowerCase()
const phrases = (texts: UserInfo): string[] =>
  texts.map((text) => fold(text ?? '')).filter((text) => [...text].length >= SHORTEST_RUN)

/** The parts of the user's names that a password should not contain: an address also counts without its domain. */
const partsOf = (info: UserInfo): string[] =>
  phrases([...info, ...info.flatMap((text) => [text?.split('@')[0], ...(text?.split(/\s+/) ?? [])])])

const restrictions = (text: readonly string[], { rejects }: PasswordPolicy, info: UserInfo): Set<Restriction> => {
  const finders: [Restriction, Finder][] = [
    ['user_info', oneOf(rejects.userInfo ? partsOf(info) : [])],
    ['words', oneOf(phrases(rejects.words))],
    ...(rejects.repetitionAndSequence
      ? ([
          ['repetition', repetition],
          ['sequence', sequence],
        ] satisfies [Restriction, Finder][])
      : []),
  ]
  const found = new Set<Restriction>()
  let free = 0
  for (let from = 0; from < text.length; ) {
    const runs = finders.map(([kind, find]) => ({ kind, length: find(text, from) }))
    const longest = runs.reduce((a, b) => (b.length > a.length ? b : a))
    if (longest.length >= SHORTEST_RUN) {
      found.add(longest.kind)
      from += longest.length
    } else {
      free += 1
      from += 1
    }
  }
  return free > TOLERANCE ? new Set() : found
}

const KINDS = [/\p{Lu}/u, /[\p{Ll}\p{Lo}\p{Lm}\p{Lt}]/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u]

/** Why the policy refuses the password: empty if it does not. Lengths are counted in characters. */
export const passwordIssues = (
  password: string,
  policy: PasswordPolicy = DEFAULT_PASSWORD_POLICY,
  info: UserInfo = [],
): PasswordIssue[] => {
  const issues: PasswordIssue[] = []
  const characters = [...password.normalize('NFC')]
  const { length, characterTypes } = policy
  if (characters.length < length.min) {
    issues.push({ code: 'password_rejected.too_short', interpolation: { min: length.min } })
  }
  if (characters.length > length.max) {
    // nothing else is checked then
    return [{ code: 'password_rejected.too_long', interpolation: { max: length.max } }]
  }
  if (KINDS.filter((kind) => kind.test(password)).length < characterTypes.min) {
    issues.push({ code: 'password_rejected.character_types', interpolation: { min: characterTypes.min } })
  }
  const restricted = restrictions([...fold(password)], policy, info)
  return [...issues, ...[...restricted].map((kind) => ({ code: `password_rejected.restricted.${kind}` }) as const)]
}

/**
 * The same, and whether the password is known from a breach, where the policy asks for it; a password that is refused anyway is
 * not looked up.
 */
export const findPasswordIssues = async (
  { pwnedPasswords }: Pick<Store, 'pwnedPasswords'>,
  password: string,
  policy: PasswordPolicy,
  info: UserInfo,
): Promise<readonly PasswordIssue[]> => {
  const issues = passwordIssues(password, policy, info)
  if (issues.length > 0 || !policy.rejects.pwned) return issues
  return (await pwnedPasswords.includes(password)) ? [{ code: 'password_rejected.pwned' }] : []
}
