/** The configuration cache: what was read before a change is never served after it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ConfigCache, createConfigCache, type Loaded } from '../../src/storage/config-cache.ts'

/** A load that ends when the test says so. */
const pending = <T>() => Promise.withResolvers<Loaded<T>>()
const never = async (): Promise<never> => {
  throw new Error('must not load')
}

test('a value is loaded once per tenant and key and then served from memory, by get and peek', async () => {
  const cache = createConfigCache(10)
  let loads = 0
  const load = async () => {
    loads += 1
    return { value: loads, tags: ['t'] }
  }
  expect(cache.peek('a', 'k')).toBeUndefined()
  expect(await cache.get('a', 'k', load)).toBe(1)
  expect(await cache.get('a', 'k', never)).toBe(1)
  expect(cache.peek('a', 'k')).toBe(1)
  expect(await cache.get('b', 'k', load)).toBe(2)
  expect(await cache.get('a', 'l', load)).toBe(3)
})

test('concurrent requests share one load; a failed load fails them all and is not cached', async () => {
  const cache = createConfigCache(10)
  const { promise, reject } = pending<number>()
  const waiting = [cache.get('a', 'k', () => promise), cache.get('a', 'k', never)]
  reject(new Error('no'))
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected')
  expect(await cache.get('a', 'k', async () => ({ value: 1, tags: [] }))).toBe(1)
})

test('undefined is cached like any value', async () => {
  const cache = createConfigCache(10)
  await cache.get('a', 'k', async () => ({ value: undefined, tags: ['t'] }))
  expect(await cache.get('a', 'k', never)).toBeUndefined()
})

describe('drop', () => {
  const filled = async (): Promise<ConfigCache> => {
    const cache = createConfigCache(10)
    for (const tenant of ['a', 'b']) {
      for (const key of ['x', 'y']) await cache.get(tenant, key, async () => ({ value: key, tags: [`tag-${key}`] }))
    }
    return cache
  }
  const kept = (cache: ConfigCache) =>
    ['a', 'b'].flatMap((tenant) => ['x', 'y'].filter((key) => cache.peek(tenant, key)).map((key) => tenant + key))

  test.each([
    ['one tag of one tenant', 'a', ['tag-x'], ['ay', 'bx', 'by']],
    ['two tags', 'a', ['tag-x', 'tag-y'], ['bx', 'by']],
    ['an unused tag', 'a', ['other'], ['ax', 'ay', 'bx', 'by']],
    ['no tag', 'a', [], ['ax', 'ay', 'bx', 'by']],
    ['everything of a tenant', 'a', ['*'], ['bx', 'by']],
    ['everything', '*', ['*'], []],
  ])('%s', async (_title, tenant, tags, expected) => {
    const cache = await filled()
    cache.drop(tenant, tags)
    expect(kept(cache)).toEqual(expected)
  })
})

test('a value read before a change that arrives after it is returned only to requests from before the change', async () => {
  const cache = createConfigCache(10)
  const old = pending<string>()
  const before = cache.get('a', 'k', () => old.promise)
  cache.drop('a', ['t'])
  const fresh = pending<string>()
  const after = cache.get('a', 'k', () => fresh.promise)
  old.resolve({ value: 'old', tags: ['t'] })
  expect(await before).toBe('old')
  expect(cache.peek('a', 'k')).toBeUndefined()
  fresh.resolve({ value: 'new', tags: ['t'] })
  expect(await after).toBe('new')
  expect(await cache.get('a', 'k', never)).toBe('new')
})

test('a full cache evicts the least recently used entries, together with their tags', async () => {
  const cache = createConfigCache(3)
  const load = (value: string) => async () => ({ value, tags: [value] })
  for (const key of ['1', '2', '3']) await cache.get('a', key, load(key))
  cache.peek('a', '1')
  await cache.get('a', '4', load('4'))
  expect(['1', '2', '3', '4'].filter((key) => cache.peek('a', key))).toEqual(['1', '3', '4'])
  expect(cache.size).toBe(3)
})

test('while notices cannot be received nothing is cached, and the cache is cleared', async () => {
  const cache = createConfigCache(10)
  await cache.get('a', 'k', async () => ({ value: 1, tags: [] }))
  cache.setListening(false)
  expect(cache.peek('a', 'k')).toBeUndefined()
  expect(await cache.get('a', 'k', async () => ({ value: 2, tags: [] }))).toBe(2)
  expect(cache.peek('a', 'k')).toBeUndefined()
  cache.setListening(true)
  await cache.get('a', 'k', async () => ({ value: 3, tags: [] }))
  expect(cache.peek('a', 'k')).toBe(3)
})

test('a load that began without notices is not cached even if they resume before it ends', async () => {
  const cache = createConfigCache(10)
  cache.setListening(false)
  const slow = pending<number>()
  const waiting = cache.get('a', 'k', () => slow.promise)
  cache.setListening(true)
  slow.resolve({ value: 1, tags: [] })
  expect(await waiting).toBe(1)
  expect(cache.peek('a', 'k')).toBeUndefined()
})

/**
 * The model: objects with versions; an entry is built from two of them, read one after the other at different times.
 */
const THINGS = 3
const KEYS = [[0], [1], [0, 1], [1, 2], [0, 1, 2]]
type Command =
  | { readonly kind: 'get'; readonly key: number }
  | { readonly kind: 'read' | 'finish' | 'fail'; readonly load: number }
  | { readonly kind: 'change'; readonly thing: number; readonly how: 'tag' | 'tenant' | 'all' }
  | { readonly kind: 'listening'; readonly value: boolean }
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('get' as const), key: fc.nat(KEYS.length - 1) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('read', 'finish' as const), load: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), load: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      thing: fc.nat(THINGS - 1),
      how: fc.constantFrom('tag', 'tag', 'tag', 'tenant', 'all'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('listening' as const), value: fc.boolean() }) },
)

const settled = async (): Promise<void> => {
  for (let i = 0; i < 5; i += 1) await Promise.resolve()
}

test('model: in any sequence of loads, changes and losses of notices, no get returns a value that was stale when it was called', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      async (commands, capacity) => {
        const cache = createConfigCache(capacity)
        const versions = Array.from({ length: THINGS }, () => 0)
        const loads: { read: number[] | undefined; key: number; end: PromiseWithResolvers<Loaded<number[]>> }[] = []
        const checks: Promise<void>[] = []
        const things = (key: number) => KEYS[key] ?? []
        const current = (key: number) => things(key).map((thing) => versions[thing] ?? 0)
        for (const step of commands) {
          if (step.kind === 'get') {
            const asked = current(step.key)
            const got = cache.get('a', String(step.key), () => {
              const end = Promise.withResolvers<Loaded<number[]>>()
              loads.push({ key: step.key, read: undefined, end })
              return end.promise
            })
            checks.push(
              got.then(
                (value) => expect(value.every((version, i) => version >= (asked[i] ?? 0))).toBe(true),
                () => undefined,
              ),
            )
            const kept = cache.peek<number[]>('a', String(step.key))
            if (kept) expect(kept).toEqual(asked)
          } else if (step.kind === 'change') {
            versions[step.thing] = (versions[step.thing] ?? 0) + 1
            if (step.how === 'tag') cache.drop('a', [`thing:${step.thing}`])
            else cache.drop(step.how === 'all' ? '*' : 'a', ['*'])
          } else if (step.kind === 'listening') cache.setListening(step.value)
          else {
            const load = loads[step.load % Math.max(1, loads.length)]
            if (!load) continue
            if (step.kind === 'read') load.read ??= current(load.key)
            else if (step.kind === 'fail') load.end.reject(new Error('no'))
            else {
              const tags = things(load.key).map((thing) => `thing:${thing}`)
              load.end.resolve({ value: load.read ?? current(load.key), tags })
            }
          }
          await settled()
          expect(cache.size).toBeLessThanOrEqual(capacity)
        }
        for (const { end, key, read } of loads) end.resolve({ value: read ?? current(key), tags: [] })
        await Promise.all(checks)
      },
    ),
    { numRuns: 500 },
  )
})
