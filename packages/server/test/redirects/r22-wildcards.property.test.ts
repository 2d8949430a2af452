/** every address that a wildcard matches is on its host, port and path, as a browser reads them. */
import { objectionToWildcard } from '@countersign/server/domain/applications/redirect-wildcards.ts'
import { isRegisteredRedirectUri } from '@countersign/server/protocol/redirect-uri.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const client = { type: 'SPA', metadata: { dangerouslyAllowWildcardRedirectUris: true } } as const
const passes = (uri: string, pattern: string) => isRegisteredRedirectUri(uri, [pattern], client)

const name = fc.string({ unit: fc.constantFrom(...'abz09'), minLength: 1, maxLength: 4 })
const maybeWild = fc.tuple(name, fc.constantFrom('', '*', '*', '-*'), fc.constantFrom('', 'x')).map((parts) => {
  const [before, star, after] = parts
  return star === '' ? before : `${star === '*' ? '' : before}${star}${after}`
})
interface Pattern {
  readonly labels: readonly string[]
  readonly port: string
  readonly segments: readonly string[]
  readonly query: string
}
const patterns: fc.Arbitrary<Pattern> = fc.record({
  labels: fc
    .tuple(fc.array(maybeWild, { minLength: 1, maxLength: 3 }), fc.constantFrom('example.com', 'example.co.uk'))
    .map(([wild, suffix]) => [...wild, ...suffix.split('.')]),
  port: fc.constantFrom('', ':8443'),
  segments: fc.array(maybeWild, { maxLength: 3 }),
  query: fc.constantFrom('', '?via=x'),
})
const write = ({ labels, port, segments, query }: Pattern): string =>
  `https://${labels.join('.')}${port}/${segments.join('/')}${query}`

const HOSTILE = [
  ...['', '.', '..', '/', '\\', '@', ':', '#', '?', '*', '%', '%2e', '%2f', '%5c', '%00', ';', ',', ' ', '\t', '\n'],
  ...['-', '_', '~', 'A', 'é', '。', 'xn--', 'a.b', 'a/b', 'a@b', 'evil.example/', 'evil.example@', 'evil.example\\'],
  ...['evil.example#', 'evil.example?', 'evil.example:80@', '[::1]', '//', 'https://evil.example/', '443', '\u00ad'],
]
const fillings = fc.array(fc.oneof({ weight: 3, arbitrary: name }, fc.constantFrom(...HOSTILE)), {
  minLength: 8,
  maxLength: 8,
})
/** The address with a value for each wildcard in turn. */
const fill = (text: string, values: readonly string[]): string => {
  let next = 0
  return text.replaceAll('*', () => values[next++ % values.length] ?? '')
}
/** One deletion, duplication or insertion at some position. */
const spoil = (text: string, [where, what, cut]: readonly [number, string, number]): string =>
  text.slice(0, where % (text.length + 1)) + what + text.slice((where % (text.length + 1)) + cut)
const spoilings = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  fc.tuple(fc.nat(200), fc.constantFrom(...HOSTILE), fc.nat(3)),
)

const isWild = (text: string) => text.includes('*')
const isOf = (text: string, pattern: string, characters: RegExp): boolean => {
  if (!isWild(pattern)) return text === pattern
  const [before = '', after = ''] = pattern.split('*')
  const middle = text.slice(before.length, text.length - after.length)
  return text === `${before}${middle}${after}` && characters.test(middle)
}

test('R-22 a matching address has the scheme, the port, the query, the host and the path of the pattern', async () => {
  let passed = 0
  await fc.assert(
    fc.asyncProperty(patterns, fillings, spoilings, async (pattern, values, spoiling) => {
      const written = write(pattern)
      fc.pre(isWild(written) && (await objectionToWildcard(written)) === undefined)
      const filled = fill(written, values)
      const uri = spoiling ? spoil(filled, spoiling) : filled
      if (!passes(uri, written)) return
      passed += 1
      const url = new URL(uri)
      expect(url.href).toBe(uri)
      expect([url.protocol, url.username, url.password, url.hash]).toEqual(['https:', '', '', ''])
      expect([url.port, url.search]).toEqual([pattern.port.slice(1), pattern.query])
      const labels = url.hostname.split('.')
      expect(labels.length).toBe(pattern.labels.length)
      expect(labels.every((label, index) => isOf(label, pattern.labels[index] ?? '', /^[a-z0-9-]+$/))).toBe(true)
      const suffix = pattern.labels.slice(pattern.labels.findLastIndex(isWild) + 1).join('.')
      expect(`.${url.hostname}`.endsWith(`.${suffix}`)).toBe(true)
      const segments = url.pathname.slice(1).split('/')
      const wanted = pattern.segments.length > 0 ? pattern.segments : ['']
      expect(segments.length).toBe(wanted.length)
      expect(segments.every((segment, index) => isOf(segment, wanted[index] ?? '', /^[A-Za-z0-9_~-]+$/))).toBe(true)
    }),
    { numRuns: 5000 },
  )
  expect(passed).toBeGreaterThan(100)
})

test('R-22 an address with a name for each wildcard matches', async () => {
  await fc.assert(
    fc.asyncProperty(patterns, fc.array(name, { minLength: 8, maxLength: 8 }), async (pattern, values) => {
      const written = write(pattern)
      fc.pre(isWild(written) && (await objectionToWildcard(written)) === undefined)
      expect(passes(fill(written, values), written)).toBe(true)
      expect(passes(written, written)).toBe(false)
      const isNotAsked = { ...client, metadata: {} }
      expect(isRegisteredRedirectUri(fill(written, values), [written], isNotAsked)).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

test('R-22 any text is compared without an error, and matches no wildcard by chance', () => {
  const pattern = 'https://*.app.example.com/*'
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(passes(text, pattern)).toBe(false)
    }),
    { numRuns: 2000 },
  )
})
