/**
 * R-31 holds for everything that the server fetches: there is one client, and it checks the address at every attempt.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOutbound } from '@countersign/server/events/outbound.ts'
import { startWebhooks } from '@countersign/server/events/webhooks.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  causeEvent,
  createHook,
  deliveriesOf,
  type HookReceiver,
  receiveHooks,
  soon,
  startHookServer,
} from '../webhooks/arrange.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** What can open a connection. Types and address arithmetic cannot. */
const OPENS =
  /\bfetch\(|\bWebSocket\b|\bEventSource\b|(?:from |import\(|getBuiltinModule\()'(?:node:(?:https?|http2|tls|dgram|dns(?:\/promises)?)|undici|nodemailer|ws)'|import \{[^}]*\b(?:connect|createConnection|Socket)\b[^}]*\} from 'node:net'/g
const ONLY_TYPES = /^import type .*$/gm

/** Which files do, by what, and why that needs no guard. */
const OTHERS: Readonly<Record<string, readonly [opens: readonly string[], reason: string]>> = {
  'events/outbound.ts': [[`from 'node:dns/promises'`], 'is the guarded client'],
  'events/connections.ts': [
    [`from 'node:https'`, `getBuiltinModule('node:http'`],
    'is a part of it, and is told where to connect',
  ],
  'events/smtp.ts': [
    [`import { connect, type Socket } from 'node:net'`, `import('nodemailer'`],
    'connects to the addresses that outbound.ts has checked, by a lookup of its',
  ],
  'events/domain-records.ts': [
    [`from 'node:dns/promises'`],
    'asks name servers of the operator for a TXT record; the name is in the question, not in the address',
  ],
  'events/options.ts': [[`from 'node:dns'`], 'lets the resolver check the addresses of name servers, and asks none'],
  'http/tls-files.ts': [[`from 'node:tls'`], 'reads a certificate and its key'],
  'http/tls-port.ts': [[`from 'node:https'`], 'listens'],
  'doctor-outside.ts': [['fetch('], 'asks this server itself, at the base URL'],
  'mcp.ts': [['fetch('], 'a command: a client of the server that its operator names'],
  'storage/embedded/orphan.ts': [[`import { connect } from 'node:net'`], 'the socket of the embedded database'],
}

test('R-31 no other file of the server opens a connection, and none of these in another way', () => {
  const opening = globSync('**/*.ts', { cwd: source }).flatMap((name) => {
    const text = readFileSync(join(source, name), 'utf8').replace(ONLY_TYPES, '')
    const found = [...text.matchAll(OPENS)].map(([each]) => each)
    return found.length === 0 ? [] : [[name, found] as const]
  })
  expect(Object.fromEntries(opening)).toEqual(
    Object.fromEntries(Object.entries(OTHERS).map(([name, [opens]]) => [name, opens])),
  )
})

describe('R-31 a hook', () => {
  let server: Awaited<ReturnType<typeof startHookServer>>
  let receiver: HookReceiver
  beforeAll(async () => {
    server = await startHookServer(inject('cluster'), { WORKERS: 'off', OUTBOUND_ALLOW: 'rebinding.example' })
    receiver = await receiveHooks()
  })
  afterAll(async () => {
    await server.close()
    await receiver.close()
  })

  test('R-31 are not sent to a name that resolves elsewhere by the time of the attempt', async () => {
    let leadsTo = ['10.0.0.1']
    const resolver = async () => leadsTo
    const allow = { hosts: [], ranges: ['127.0.0.1'] }
    const outbound = createOutbound({ allow, allowLoopback: false, resolver })
    const url = receiver.url.replace('127.0.0.1', 'rebinding.example')
    const hook = await createHook(server, url)
    await causeEvent(server)
    // the server of the test sends nothing: this is the only sender, with the DNS of the test
    let hear: (tenantId?: string) => void = () => undefined
    const sender = startWebhooks(server.store, outbound, (heard) => {
      hear = heard
      return () => undefined
    })
    const tried = async (expected: object) => {
      hear()
      await soon(async () => expect((await deliveriesOf(server, hook.id))[0]).toMatchObject(expected))
    }
    const error = 'the host is at an address that is not public'
    await tried({ attempts: 1, lastAttempt: { status: null, error } })
    server.clock.advance(7)
    leadsTo = ['127.0.0.1']
    await tried({ attempts: 2, lastAttempt: { status: 200 } })
    leadsTo = ['127.0.0.1', '169.254.169.254']
    await causeEvent(server)
    await tried({ attempts: 1, lastAttempt: { status: null, error } })
    await sender.close()
    const deliveries = await deliveriesOf(server, hook.id)
    expect(deliveries.map(({ lastAttempt }: { lastAttempt: { error: string | null } }) => lastAttempt.error)).toEqual([
      error,
      null,
    ])
    expect(receiver.got).toHaveLength(1)
    expect(receiver.got[0]?.headers.host).toBe(new URL(url).host)
  })
})
