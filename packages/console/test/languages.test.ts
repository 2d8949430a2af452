import { readFileSync } from 'node:fs'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { API_ERRORS, type ApiErrorCode } from '@countersign/contract/errors.ts'
import { INPUT_ISSUES } from '@countersign/contract/input-issues.ts'
import { describe, expect, test } from 'vitest'
import { catalogue as en } from '../src/languages/en/catalogue.ts'
import { first } from '../src/languages/en/first.ts'
import { LANGUAGES, type Language } from '../src/languages/languages.ts'
import { operationWords } from '../src/screens/log/operations.ts'

const files = import.meta.glob<{ readonly catalogue: Readonly<Record<string, string>> }>(
  ['../src/languages/??/catalogue.ts', '!../src/languages/en/catalogue.ts'],
  { eager: true },
)
const errorFiles = import.meta.glob<{ readonly errors: Readonly<Record<string, string>> }>(
  '../src/languages/??/errors.ts',
  { eager: true },
)
const issueFiles = import.meta.glob<{ readonly issues: Readonly<Record<string, string>> }>(
  '../src/languages/??/issues.ts',
  { eager: true },
)
const sources = import.meta.glob<string>(['../src/**/*.{ts,tsx}', '!../src/languages/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
})
/** What errors of these say, an administrator may read. */
const called = API_ROUTES.filter(({ id }) => Object.values(sources).some((text) => text.includes(`'${id}'`)))
const EVERYWHERE: readonly ApiErrorCode[] = [
  'auth.forbidden',
  'guard.invalid_input',
  'request.body_too_large',
  'request.not_found',
  'request.precondition_failed',
  'request.rate_limited',
  'request.unavailable',
  'server.error',
]
/** Beside the id, a phrase in another language cannot use the English name of what it is of. */
const LEFT_OUT = ['entity']
const others = Object.keys(LANGUAGES).filter((tag) => tag !== 'en') as Language[]
const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

test('every file of a catalogue is one of the fifteen languages', () => {
  expect(Object.keys(LANGUAGES)).toHaveLength(15)
  const known = others.map((tag) => `../src/languages/${tag}/catalogue.ts`)
  expect(Object.keys(files).filter((file) => !known.includes(file))).toEqual([])
})

describe.each(others)('%s', (tag) => {
  const catalogue = files[`../src/languages/${tag}/catalogue.ts`]?.catalogue ?? {}

  test('has every phrase, and no others', () => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort())
  })

  test('keeps the places of each phrase', () => {
    const wrong = Object.entries(catalogue).filter(
      ([phrase, text]) => String(placesOf(text)) !== String(placesOf(en[phrase as keyof typeof en] ?? '')),
    )
    expect(wrong).toEqual([])
  })
})

describe.each(others)('errors in %s', (tag) => {
  const errors = errorFiles[`../src/languages/${tag}/errors.ts`]?.errors ?? {}
  const issues = issueFiles[`../src/languages/${tag}/issues.ts`]?.issues ?? {}

  test('have a phrase for each that an operation of the console can end with', () => {
    const codes = new Set([...EVERYWHERE, ...called.flatMap((route) => route.errors ?? [])])
    expect(called.length).toBeGreaterThan(200)
    expect([...codes].filter((code) => !Object.hasOwn(errors, code))).toEqual([])
  })

  test('keep the values of each, and have a phrase for all that can be wrong with a member', () => {
    const wrong = Object.entries(errors).filter(([code, text]) => {
      const places = placesOf(API_ERRORS[code as ApiErrorCode][1]).filter((name = '') => !LEFT_OUT.includes(name))
      return String(placesOf(text)) !== String(places)
    })
    expect(wrong).toEqual([])
    expect(Object.keys(issues).sort()).toEqual(Object.keys(INPUT_ISSUES).sort())
    for (const [code, text] of Object.entries(INPUT_ISSUES))
      expect(placesOf(issues[code] ?? '')).toEqual(placesOf(text))
  })
})

/** Quoted in a module, and in all that it imports without waiting for every phrase. */
const quotedFrom = (module: URL, found = new Map<string, string[]>()): Map<string, string[]> => {
  if (found.has(module.pathname)) return found
  const text = readFileSync(module, 'utf8')
  found.set(
    module.pathname,
    [...text.matchAll(/'(\w+(?:\.\w+)+)'/g)].map(([, quoted = '']) => quoted),
  )
  const imports = text.matchAll(/(?<!withPhrases\()(?:from |import\()'(\.[^']+\.tsx?)'/g)
  for (const [, path = ''] of imports) if (!path.includes('/en/')) quotedFrom(new URL(path, module), found)
  return found
}

test('every phrase of the frame and of the first screen is in what is loaded first', () => {
  const quoted = [...quotedFrom(new URL('../src/start.ts', import.meta.url))]
  const wanting = quoted.flatMap(([module, all]) =>
    all.filter((each) => Object.hasOwn(en, each) && !Object.hasOwn(first, each)).map((each) => [module, each]),
  )
  expect(quoted.length).toBeGreaterThan(20)
  expect(wanting).toEqual([])
})

test('the log has words for every operation that changes something, and for no others', () => {
  const changing = API_ROUTES.filter(({ method }) => method !== 'GET')
  expect(changing.flatMap(({ id }) => (operationWords(id) ? [] : [id]))).toEqual([])
  const used = new Set(changing.flatMap(({ id }) => Object.values(operationWords(id) ?? {})))
  const all = Object.keys(en).filter((phrase) => /^(thing|done)\./.test(phrase))
  expect([...used].sort()).toEqual(all.sort())
})
