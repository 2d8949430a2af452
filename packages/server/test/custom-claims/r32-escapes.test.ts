/**
 * a script has the language and its input, and nothing of the host; it always ends, the server answers other
 * requests in the meantime, and the memory is released.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createScriptPool } from '../../src/tokens/claims/pool.ts'
import { functionOf } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const run = async (body: string, more: object = {}) => {
  const { status, body: answer } = await server.api('POST', '/configs/jwt-customizer/test', {
    tokenType: 'access-token',
    script: functionOf(body),
    token: { aud: 'x' },
    context: { user: { id: 'u' } },
    ...more,
  })
  return { status, answer, failure: answer.data?.failure as string | undefined }
}

const HOST_NAMES = [
  ...['process', 'require', 'module', 'exports', '__dirname', '__filename', 'global', 'window', 'self', 'Buffer'],
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'Worker', 'postMessage', 'setTimeout', 'setInterval', 'setImmediate'],
  ...[
    'queueMicrotask',
    'structuredClone',
    'crypto',
    'performance',
    'navigator',
    'WebAssembly',
    'Atomics',
    'Deno',
    'Bun',
  ],
  ...['std', 'os', 'print', 'load', 'loadScript', 'scriptArgs', 'gc', 'tell'],
]

describe('nothing of the host', () => {
  test('is there by its name', async () => {
    const { answer } = await run(
      `return { there: ${JSON.stringify(HOST_NAMES)}.filter((name) => typeof globalThis[name] !== 'undefined') }`,
    )
    expect(answer).toEqual({ there: [] })
  })

  /** Escapes that worked in other sandboxes; each returns what it reached. */
  const WAYS: readonly (readonly [string, string])[] = [
    ['the Function constructor', "return { out: typeof Function('return this')().process }"],
    ['the constructor of its argument', "return { out: typeof api.denyAccess.constructor('return process')?.() }"],
    ['the constructor of the api', "return { out: typeof api.constructor.constructor('return this')().process }"],
    [
      'the constructor of an async function',
      "return { out: typeof (await (async () => 1).constructor('return this')()).process }",
    ],
    [
      'the constructor of a generator',
      "return { out: typeof (function* () {}).constructor('return this')().next().value.process }",
    ],
    ['the constructor of the console', "return { out: typeof console.log.constructor('return this')().process }"],
    ['an indirect eval', "return { out: typeof (0, eval)('this').process }"],
    ['import()', "return { out: typeof (await import('node:fs')) }"],
    ['import() of data', "return { out: typeof (await import('data:text/javascript,export default 1')) }"],
    ['import() of a file', "return { out: typeof (await import('/etc/passwd')) }"],
    ['import.meta', "return { out: typeof eval('import.meta') }"],
    [
      'prepareStackTrace',
      `let sites
      Error.prepareStackTrace = (_error, found) => { sites = found; return found }
      new Error('x').stack
      return { out: (sites ?? []).map((site) => typeof site?.getThis?.()?.process + typeof site?.getFunction?.()).join() }`,
    ],
    [
      'the caller',
      `function who() { return who.caller } return { out: typeof who()?.constructor('return process')?.() }`,
    ],
    ['arguments of the caller', 'return { out: typeof (function () { return arguments.callee.caller })()?.process }'],
    [
      'the error of a native function',
      `try { JSON.parse('{') } catch (error) {
      return { out: typeof error.constructor.constructor('return this')().process } }`,
    ],
    [
      'the error of denyAccess',
      `try { api.denyAccess.call(null) } catch (error) {
      return { out: typeof error.constructor.constructor('return this')().process } }`,
    ],
    [
      'stack overflow',
      `const deep = () => { try { deep() } catch (error) {
        throw error.constructor.constructor('return this')().process ?? error } }
      try { deep() } catch (error) { return { out: typeof error?.mainModule } }`,
    ],
    [
      'Reflect over its argument',
      'return { out: Reflect.ownKeys(api.denyAccess).join() + Reflect.ownKeys(api).join() }',
    ],
    ['a thenable', "return { then(settle) { settle({ out: typeof settle.constructor('return this')().process }) } }"],
    [
      'a proxy as the result',
      `return new Proxy({ out: 1 }, { get: (_, name) =>
      (name === 'out' || name === 'toJSON' ? undefined : globalThis.process), ownKeys: () => ['out'] })`,
    ],
    [
      'the prototype of everything',
      "Object.prototype.polluted = 'yes'; Array.prototype.then = 1; return { out: 'set' }",
    ],
    ['shared memory', 'return { out: new SharedArrayBuffer(8).byteLength }'],
    ['a WebAssembly module', 'return { out: typeof WebAssembly === "undefined" ? "" : "there" }'],
    [
      'a WebAssembly module under another name',
      'return { out: Object.getOwnPropertyNames(globalThis).filter((name) => /wasm|webassembly/i.test(name)).join() }',
    ],
    [
      'weak references',
      'new FinalizationRegistry(() => {}).register({}, 1); return { out: typeof new WeakRef({}).deref() }',
    ],
  ]

  test.each(WAYS)('by %s', async (_what, body) => {
    const { status, answer } = await run(body)
    expect([200, 403, 422]).toContain(status)
    const { out } = answer as { out?: unknown }
    expect(['undefined', 'set', 8, 'object', 'denyAccess', 'length,namedenyAccess', '', undefined]).toContain(out)
    expect(JSON.stringify(answer)).not.toMatch(/root:x|node:internal|file:\/\/|\/work\/|readFileSync/)
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
    expect(
      (await run('return { fine: [typeof Object.prototype.polluted, typeof Array.prototype.then] }')).answer,
    ).toEqual({
      fine: ['undefined', 'undefined'],
    })
  })

  test('it cannot read files, the environment or the network', async () => {
    const { answer } = await run(
      'return { all: Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z]/.test(name)).sort() }',
    )
    expect(answer.all).toEqual([
      ...['console', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'eval'],
      ...['globalThis', 'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'undefined', 'unescape'],
    ])
  })
})

/** What a script may do to the language itself, which affects only its own run. */
const TRICKS: readonly (readonly [what: string, body: string])[] = [
  ['then of every object', 'Object.prototype.then = (settle) => settle({ out: 1 })'],
  ['then of every promise', 'Promise.prototype.then = () => { throw 1 }'],
  ['toJSON of every string', "String.prototype.toJSON = () => 'root'"],
  ['the iterator of every list', 'Array.prototype[Symbol.iterator] = () => { throw 1 }'],
  ['call and apply', 'Function.prototype.call = Function.prototype.apply = () => { throw 1 }'],
  [
    'setters of every object',
    "Object.defineProperty(Object.prototype, 'api', { set() { throw 1 }, configurable: true })",
  ],
  ['getters of every object', "Object.defineProperty(Object.prototype, 'length', { get() { throw 1 } })"],
  ['the prototype of its argument', 'context.__proto__.fine = api.__proto__.fine = 2'],
  ['the prototype of the global object', 'Object.setPrototypeOf(globalThis, { fine: 2 })'],
  ['the value of undefined', 'globalThis.JSON = globalThis.Promise = globalThis.Object = undefined'],
  ['the sealed global object', 'Object.freeze(globalThis); Object.freeze(Object.prototype)'],
  ['a global', 'globalThis.fine = 2'],
  [
    'the api and the console',
    'delete api.denyAccess; Object.freeze(api); for (const name in console) delete console[name]',
  ],
  [
    'more memory than the engine starts with',
    "globalThis.fine = Array.from({ length: 1000 }, () => 'x'.repeat(20_000))",
  ],
  [
    'work that never finishes',
    'new Promise(() => {}).then(() => {}); globalThis.fine = (function* () { yield 1 })(); fine.next()',
  ],
  ['leftovers in memory', 'for (let i = 0; i < 3; i += 1) globalThis[i] = new Uint8Array(1_000_000).fill(7)'],
  ['an exception from deep recursion', "const f = (n) => { if (n === 0) throw 'no'; f(n - 1) }; f(500)"],
  ['the function itself, on the next run', "globalThis.getCustomJwtClaims = () => ({ fine: 'left' })"],
]

describe('whatever it does to the language, the next run is unaffected', () => {
  test.each(TRICKS)('%s', async (_what, body) => {
    const { status } = await run(`${body}; return { fine: 1 }`)
    expect([200, 422]).toContain(status)
    const { answer } = await run(
      `return { fine: [typeof fine, typeof {}.then, 'x'.toJSON === undefined, [...[1]].length,
        typeof console.log, typeof api.denyAccess, new Uint8Array(3_000_000).indexOf(7)] }`,
    )
    expect(answer).toEqual({ fine: ['undefined', 'undefined', true, 1, 'function', 'function', -1] })
    expect((await run("api.denyAccess('no')")).status).toBe(403)
    expect([({} as { then?: unknown }).then, ({} as { fine?: unknown }).fine]).toEqual([undefined, undefined])
  })
})

test('random numbers differ in each run', async () => {
  const numbers: unknown[] = []
  for (let n = 0; n < 20; n += 1) numbers.push((await run('return { random: Math.random() }')).answer.random)
  expect(new Set(numbers).size).toBe(20)
  for (const number of numbers) expect(number).toBeGreaterThanOrEqual(0)
})

/** Unbounded use of time or memory, and how it is ended. */
const BOMBS: readonly (readonly [what: string, body: string, failures: readonly string[]])[] = [
  ['a loop', 'for (;;);', ['time']],
  ['a loop that catches', 'for (;;) { try { for (;;); } catch {} finally { continue } }', ['time']],
  ['endless promises', 'const on = () => Promise.resolve().then(on); await on()', ['time']],
  ['a thenable that resolves to itself', 'const t = { then(settle) { settle(t) } }; return t', ['time']],
  ['an endless generator', 'return [...(function* () { for (;;) yield 1 })()]', ['time', 'memory']],
  ['a regular expression', "/^(a+)+$/.test('a'.repeat(40) + 'b'); return {}", ['time']],
  ['another regular expression', "/(x+x+)+y/.exec('x'.repeat(5000)); return {}", ['time']],
  ['recursion', 'const f = () => f(); f()', ['threw', 'memory']],
  ['recursion of toString', "const t = { toString: () => t + '' }; return { t: t + '' }", ['threw', 'memory']],
  ['deep JSON', "return JSON.parse('['.repeat(100_000))", ['threw', 'memory']],
  [
    'a deep result',
    'let all = {}; for (let i = 0; i < 100_000; i += 1) all = { all }; return all',
    ['threw', 'memory', 'time'],
  ],
  ['deep code', "eval('('.repeat(100_000))", ['threw', 'memory']],
  [
    'deep proxies',
    'let p = {}; for (let i = 0; i < 100_000; i += 1) p = new Proxy(p, {}); return { x: p.x }',
    ['threw', 'memory', 'time'],
  ],
  ['lists', 'const all = []; for (;;) all.push(new Array(100_000).fill(1))', ['memory', 'time']],
  ['small things', "const all = []; for (;;) all.push('x' + all.length)", ['memory', 'time']],
  ['a long string', "let text = 'x'; for (;;) text += text", ['threw', 'memory']],
  ['a large buffer', 'return { size: new ArrayBuffer(2 ** 30).byteLength }', ['memory', 'threw']],
  ['a result of 100 MB', "return { text: 'x'.repeat(100_000_000) }", ['memory', 'size', 'time']],
  [
    'a result of 100 MB in pieces',
    "const text = 'x'.repeat(10_000); return { all: Array.from({ length: 10_000 }, () => text) }",
    ['memory', 'size', 'time', 'threw'],
  ],
  [
    'a result of 100 MB from toJSON',
    "return { toJSON: () => ({ text: 'x'.repeat(100_000_000) }) }",
    ['memory', 'size', 'time'],
  ],
  ['an error of 10 MB', "throw new Error('x'.repeat(10_000_000))", ['threw', 'memory', 'time']],
  ['endless console output', "for (;;) console.log('x')", ['time']],
  [
    'large console output in one call',
    "const text = 'x'.repeat(5_000_000); for (;;) console.log(text)",
    ['time', 'memory'],
  ],
  ['endless denials', 'for (;;) { try { api.denyAccess() } catch {} }', []],
  ['a getter that loops', 'return { get a() { for (;;); } }', ['time']],
  ['toJSON that loops', 'return { toJSON() { for (;;); } }', ['time']],
  [
    'a proxy with endless names',
    "return new Proxy({}, { ownKeys: () => { const k = []; for (;;) k.push(k.length + 'k') } })",
    ['time', 'memory'],
  ],
  ['a number that is too large', 'return { n: String(3n ** 2_000_000n).length }', ['threw', 'time', 'memory']],
  ['sorting', 'return { n: Array.from({ length: 1_000_000 }, (_, i) => -i).sort().length }', ['time', 'memory']],
  ['a promise that never settles', 'await new Promise(() => {})', ['pending']],
]

/** Loops inside the engine that cannot be interrupted: the worker is terminated from outside. */
const HANGS: readonly (readonly [what: string, body: string])[] = [
  ['searching a list with a made-up length', 'return { at: Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1) }'],
  ['reversing one', 'new Array(2 ** 32 - 1).reverse(); return {}'],
]

describe('whatever it does, it ends', () => {
  test.each(BOMBS)('%s', async (_what, body, failures) => {
    const [{ status, failure }, keys] = await Promise.all([run(body), fetch(`${server.baseUrl}/oidc/jwks`)])
    expect(keys.status).toBe(200)
    // a denial remains a denial, however the script ends
    expect(status).toBe(failures.length > 0 ? 422 : 403)
    if (failures.length > 0) expect(failures).toContain(failure)
  })

  test('endless promises take too long wherever the limit interrupts them', async () => {
    const pool = createScriptPool(10_000)
    const script = functionOf('const on = () => Promise.resolve().then(on); await on()')
    const failures: unknown[] = []
    for (let cpuLimit = 2; cpuLimit < 32; cpuLimit += 1) {
      const { conclusion } = await pool.run({ tenantId: 'one', script, input: '{}', cpuLimit })
      failures.push(conclusion.kind === 'failed' ? conclusion.failure : conclusion)
    }
    expect(new Set(failures)).toEqual(new Set(['time']))
  })

  test.each(HANGS)('%s', async (_what, body) => {
    const [{ status, failure }, keys] = await Promise.all([
      run(body, { cpuLimit: 1 }),
      fetch(`${server.baseUrl}/oidc/jwks`),
    ])
    expect(keys.status).toBe(200)
    expect({ status, failure }).toEqual({ status: 422, failure: 'time' })
    expect((await run('return { fine: 1 }')).answer).toEqual({ fine: 1 })
  })
})

describe('memory', () => {
  const bomb = functionOf('const all = []; for (;;) all.push(new Array(100_000).fill(1))')
  const loop = functionOf('const all = new Uint8Array(20_000_000).fill(1); for (;;);')

  test('is released after many scripts that took all they could, and when there is nothing to run', async () => {
    const pool = createScriptPool(50)
    const ask = (script: string) => pool.run({ tenantId: 'one', script, input: '{}', cpuLimit: 20 })
    const fine = functionOf('return { fine: 1 }')
    expect((await ask(fine)).conclusion).toEqual({ kind: 'claims', json: '{"fine":1}' })
    const before = process.memoryUsage.rss()
    for (let round = 0; round < 15; round += 1) {
      for (const script of [bomb, loop]) expect((await ask(script)).conclusion.kind).toBe('failed')
    }
    expect((await ask(fine)).conclusion.kind).toBe('claims')
    await expect.poll(() => pool.size).toBe(0)
    // thirty runs took up to 32 MiB each; a worker takes a moment to stop
    await expect.poll(() => process.memoryUsage.rss() - before).toBeLessThan(200_000_000)
  })

  test('is kept for as long as a worker is busy, however soon it would be dropped when idle', async () => {
    const pool = createScriptPool(1)
    const ask = (body: string) => pool.run({ tenantId: 'one', script: functionOf(body), input: '{}', cpuLimit: 100 })
    const first = await ask('return {}')
    // at once, so that the same worker runs it
    const second = await ask('for (;;);')
    expect([first.conclusion.kind, second.conclusion]).toMatchObject(['claims', { failure: 'time' }])
  })

  test('does not keep a process without other work alive', async () => {
    const pool = new URL('../../src/tokens/claims/pool.ts', import.meta.url).href
    // a long-lived worker
    const program = `import(${JSON.stringify(pool)}).then(async ({ createScriptPool }) => {
      const run = { tenantId: 'one', script: ${JSON.stringify(functionOf('return {}'))}, input: '{}', cpuLimit: 1000 }
      console.log((await createScriptPool(2 ** 31 - 1).run(run)).conclusion.kind)
    })`
    const child = spawn(process.execPath, ['-'], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(program)
    try {
      expect(await Promise.all([text(child.stdout), once(child, 'exit')])).toEqual(['claims\n', [0, null]])
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('exhaustion reported by a script costs no worker, nor does a refusal of the engine', async () => {
    const pool = createScriptPool(10_000)
    const ask = (body: string) => pool.run({ tenantId: 'one', script: functionOf(body), input: '{}', cpuLimit: 100 })
    await ask('return {}')
    let started = 0
    const count = () => {
      started += 1
    }
    process.on('worker', count)
    for (const body of ["throw new Error('out of memory')", "throw 'out of memory'", 'new ArrayBuffer(2 ** 30)'])
      for (let round = 0; round < 3; round += 1)
        expect((await ask(body)).conclusion).toMatchObject({ kind: 'failed', failure: 'memory' })
    process.off('worker', count)
    expect(started).toBe(0)
  })

  test('is never shared between tenants: each has its own engine', async () => {
    const pool = createScriptPool(1000)
    const ask = (tenantId: string, body: string) =>
      pool.run({ tenantId, script: functionOf(body), input: '{}', cpuLimit: 100 })
    await ask('one', "globalThis.left = 'behind'; Object.prototype.left = 'behind'; return {}")
    for (const tenantId of ['one', 'two']) {
      const { conclusion } = await ask(tenantId, 'return { left: typeof left + typeof ({}).left }')
      expect(conclusion).toEqual({ kind: 'claims', json: '{"left":"undefinedundefined"}' })
    }
  })
})
