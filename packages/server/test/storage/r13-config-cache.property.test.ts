import { createConfigCache } from '@countersign/server/storage/config-cache.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** A value is the version of its object when it was read; it may arrive much later. */
const world = (scheduler: fc.Scheduler) => {
  const cache = createConfigCache(100)
  const versions = new Map<string, number>()
  const version = (thing: string) => versions.get(thing) ?? 0
  const load = (thing: string) => scheduler.schedule(Promise.resolve({ value: version(thing), tags: [thing] }))
  return {
    cache,
    version,
    get: (thing: string) => cache.get('tenant', thing, () => load(thing)),
    change(thing: string) {
      versions.set(thing, version(thing) + 1)
      cache.drop('tenant', [thing])
    },
  }
}

type Step = readonly ['get' | 'change' | 'arrive', string]
const step: fc.Arbitrary<Step> = fc.tuple(fc.constantFrom('get', 'get', 'change', 'arrive'), fc.constantFrom('a', 'b'))

describe('R-13 the configuration cache', () => {
  test('R-13 a request after a change gets a value read after it, in whatever order reads arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(step, { maxLength: 40 }), async (scheduler, steps) => {
        const { get, change, version } = world(scheduler)
        const asked: Promise<{ got: number; least: number }>[] = []
        for (const [what, thing] of steps) {
          if (what === 'change') change(thing)
          else if (what === 'get') {
            const least = version(thing)
            asked.push(get(thing).then((got) => ({ got, least })))
          } else if (scheduler.count() > 0) await scheduler.waitOne()
        }
        await scheduler.waitAll()
        for (const { got, least } of await Promise.all(asked)) expect(got).toBeGreaterThanOrEqual(least)
      }),
      { numRuns: 1000 },
    )
  })

  test('R-13 a value read before a change that arrives after it is not cached', async () => {
    const cache = createConfigCache(10)
    const late = Promise.withResolvers<{ value: string; tags: string[] }>()
    const first = cache.get('tenant', 'thing', () => late.promise)
    cache.drop('tenant', ['thing'])
    late.resolve({ value: 'before', tags: ['thing'] })
    expect(await first).toBe('before')
    expect(await cache.get('tenant', 'thing', async () => ({ value: 'after', tags: ['thing'] }))).toBe('after')
    expect(await cache.get('tenant', 'thing', async () => ({ value: 'again', tags: ['thing'] }))).toBe('after')
  })

  test('R-13 while notices cannot be received nothing is cached, and nothing from before is left', async () => {
    const cache = createConfigCache(10)
    let reads = 0
    const get = () =>
      cache.get('tenant', 'thing', async () => {
        reads += 1
        return { value: reads, tags: ['thing'] }
      })
    expect([await get(), await get()]).toEqual([1, 1])
    cache.setListening(false)
    expect([await get(), await get(), cache.size]).toEqual([2, 3, 0])
    cache.setListening(true)
    expect([await get(), await get()]).toEqual([4, 4])
  })

  test('R-13 a read that begins while notices are received and ends while they are not is not cached', async () => {
    const cache = createConfigCache(10)
    const late = Promise.withResolvers<{ value: string; tags: string[] }>()
    const first = cache.get('tenant', 'thing', () => late.promise)
    cache.setListening(false)
    cache.setListening(true)
    late.resolve({ value: 'before', tags: ['thing'] })
    await first
    expect(await cache.get('tenant', 'thing', async () => ({ value: 'after', tags: ['thing'] }))).toBe('after')
  })

  test('a change in one tenant does not affect another; a failed read is not cached; memory is bounded', async () => {
    const cache = createConfigCache(10)
    const get = (tenant: string, value: string) => cache.get(tenant, 'thing', async () => ({ value, tags: ['thing'] }))
    await get('one', '1')
    await get('two', '2')
    cache.drop('one', ['thing'])
    expect([await get('one', '3'), await get('two', '4')]).toEqual(['3', '2'])
    cache.drop('two', ['*'])
    expect([await get('one', '5'), await get('two', '6')]).toEqual(['3', '6'])
    const failing = cache.get('one', 'other', () => Promise.reject(new Error('gone')))
    await expect(failing).rejects.toThrow('gone')
    expect(await cache.get('one', 'other', async () => ({ value: 'there', tags: [] }))).toBe('there')
    for (let i = 0; i < 50; i += 1) await cache.get('one', `${i}`, async () => ({ value: i, tags: ['thing'] }))
    expect(cache.size).toBe(10)
  })
})
