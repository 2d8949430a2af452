/**
 * `countersign apply` and `countersign export`: hooks. Their headers are secrets, so an exported file has only their
 * names.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TenantFiles, tenantFiles } from './tenant-file.ts'

let files: TenantFiles
beforeAll(async () => {
  files = await tenantFiles(inject('cluster'))
})
afterAll(() => files.server.close())

const env = { ORDERS_TOKEN: 'Bearer s3cret', PATH_PART: 'p4th' }

const FILE = `hooks:
  - name: Orders
    events: [User.Deleted, User.Created]
    config:
      url: https://orders.example/hooks/\${PATH_PART}?as=$\${IT}
      headers: { Authorization: '\${ORDERS_TOKEN}', X-Kind: plain }
      retries: 3
    ordered: true
  - name: Later
    events: [Role.Created]
    config: { url: 'https://later.example' }
    enabled: false
`

const hooks = async () => (await files.server.api('GET', '/hooks')).body
const named = async (name: string) => (await hooks()).find((hook: { name: string }) => hook.name === name)

test('hooks are created as the file says; a dry run reports it, a second run changes nothing and emits nothing', async () => {
  const before = await files.everything()
  expect(await files.apply(FILE, { env, isDry: true })).toEqual(['+ hook Orders', '+ hook Later'])
  expect(await files.everything()).toEqual(before)
  await files.apply(FILE, { env })
  expect([await named('Orders'), await named('Later')]).toMatchObject([
    {
      name: 'Orders',
      event: null,
      events: ['User.Deleted', 'User.Created'],
      config: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: what the file escaped, so that it is not a variable
        url: 'https://orders.example/hooks/p4th?as=${IT}',
        headers: { Authorization: 'Bearer s3cret', 'X-Kind': 'plain' },
        retries: 3,
      },
      enabled: true,
      ordered: true,
    },
    { name: 'Later', enabled: false, disabledReason: 'Requested', ordered: false, config: { headers: {} } },
  ])
  const after = await files.everything()
  for (const options of [{}, { isDry: true }, { prune: true }])
    expect(await files.apply(FILE, { env, ...options })).toEqual([])
  expect(await files.everything()).toEqual(after)
})

test('an export holds no secret, is applied without a change, and makes another tenant equal', async () => {
  const { signingKey } = await named('Orders')
  const exported = await files.export()
  for (const secret of ['s3cret', 'plain', signingKey]) expect(exported).not.toContain(secret)
  expect(exported).toContain('Authorization: null')
  const after = await files.everything()
  expect(await files.apply(exported)).toEqual([])
  expect(await files.everything()).toEqual(after)

  await files.createTenant('acme')
  expect(await files.faults(exported, { tenant: 'acme' })).toMatch(
    /^tenant\.yaml:\d+:9: Authorization has no value here, and none is stored$/,
  )
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes variables
  const secret = 'Authorization: ${ORDERS_TOKEN}'
  const complete = exported.replace('Authorization: null', secret).replace('X-Kind: null', 'X-Kind: plain')
  await files.apply(complete, { env, tenant: 'acme' })
  const again = await files.export('acme')
  expect(again.split('\n').slice(1)).toEqual(exported.split('\n').slice(1))
  expect(await files.apply(exported, { tenant: 'acme' })).toEqual([])
})

test('differences are applied and reported without values; what is not in the file stays, including the signing key', async () => {
  const { signingKey } = await named('Orders')
  const changed = `hooks:
  - name: Orders
    events: [User.Created, Role.Created]
    config: { url: 'https://new.example/t0ken', headers: { Authorization: 'Bearer other', X-New: v4lue } }
    ordered: false
  - name: Later
    config: { url: 'https://later.example' }
    enabled: true
`
  const told = [
    [
      '~ hook Orders: events: + Role.Created, - User.Deleted',
      'config.url differs',
      'config.headers: + X-New, - X-Kind',
      'config.headers.Authorization differs',
      'ordered: true → false',
    ].join('; '),
    '~ hook Later: enabled: false → true',
  ]
  const before = await files.everything()
  expect(await files.apply(changed, { isDry: true })).toEqual(told)
  expect(await files.everything()).toEqual(before)
  expect(await files.apply(changed)).toEqual(told)
  expect(await named('Orders')).toMatchObject({
    events: ['User.Created', 'Role.Created'],
    config: { headers: { Authorization: 'Bearer other', 'X-New': 'v4lue' }, retries: 3 },
    signingKey,
  })
  expect(await named('Later')).toMatchObject({ enabled: true, disabledAt: null, events: ['Role.Created'] })
  expect(await files.apply(changed)).toEqual([])
  // the list of names is complete, values that are null stay
  const fewer = "hooks: [{ name: Orders, config: { url: 'https://new.example/t0ken', headers: { X-New: } } }]"
  expect(await files.apply(fewer)).toEqual(['~ hook Orders: config.headers: - Authorization'])
  expect((await named('Orders')).config.headers).toEqual({ 'X-New': 'v4lue' })
})

test('a new hook receives events of the same file', async () => {
  const both = `roles: [{ name: Heard }]
hooks: [{ name: Listener, events: [Role.Created], config: { url: 'https://listener.example' } }]`
  expect(await files.apply(both)).toEqual(['+ role Heard', '+ hook Listener'])
  await files.server.api('GET', '/events')
  const { id } = await named('Listener')
  const { body } = await files.server.api('GET', `/hooks/${id}/deliveries`)
  expect(body.map(({ event }: { event: string }) => event)).toEqual(['Role.Created'])
})

test('--prune deletes the hooks that the section does not name, including one without a name', async () => {
  const { body } = await files.server.api('POST', '/hooks', {
    events: ['Role.Created'],
    config: { url: 'https://x.example' },
  })
  expect(await files.faults(FILE, {})).toContain('the variable PATH_PART is not set')
  await expect(files.export()).rejects.toThrow(`The hook ${body.id} has no name`)
  const kept = "hooks: [{ name: Orders, config: { url: 'https://new.example/t0ken' } }]"
  expect(await files.apply(kept)).toEqual([])
  const told = await files.apply(kept, { prune: true })
  expect(told.toSorted()).toEqual(['- hook Later', '- hook Listener', `- hook ${body.id}`].sort())
  expect((await hooks()).map(({ name }: { name: string }) => name)).toEqual(['Orders'])
})

test('two hooks with one name are refused, by apply and by export', async () => {
  const twin = { name: 'Twin', events: ['Role.Created'], config: { url: 'https://twin.example' } }
  const ids = [(await files.server.api('POST', '/hooks', twin)).body.id]
  files.server.clock.advance(1)
  ids.push((await files.server.api('POST', '/hooks', twin)).body.id)
  expect(await files.faults("hooks: [{ name: Twin, config: { url: 'https://twin.example' } }]")).toBe(
    `tenant.yaml:1:11: 2 hooks are named Twin (${ids.join(', ')}): rename all but one`,
  )
  await expect(files.export()).rejects.toThrow(`Several hooks are named Twin (${ids.join(', ')})`)
  for (const id of ids) await files.server.api('DELETE', `/hooks/${id}`)
})

test.each<[string, string, string]>([
  [
    'an unknown key',
    'hooks:\n  - name: a\n    config: { url: "https://a.example", heders: {} }\n',
    '3:41: heders is not a known key',
  ],
  [
    'a signing key',
    'hooks:\n  - name: a\n    signingKey: k\n    config: { url: "https://a.example" }\n',
    '3:5: signingKey is not a known key',
  ],
  [
    'an unknown event',
    'hooks:\n  - name: a\n    events:\n      - User.Born\n    config: { url: "https://a.example" }\n',
    '4:9: events[0] must be one of',
  ],
  [
    'an invalid header',
    'hooks:\n  - name: a\n    config:\n      url: https://a.example\n      headers:\n        "a b": c\n',
    '6:9: a b is not a known key',
  ],
  [
    'a header of the server',
    'hooks:\n  - name: a\n    events: [Role.Created]\n    config: { url: "https://a.example", headers: { Host: b } }\n',
    '2:5: The server sets the header Host itself',
  ],
  [
    'a value that cannot be sent',
    'hooks:\n  - name: a\n    config: { url: "https://a.example", headers: { X: "a\\nb" } }\n',
    '3:52: X must match pattern',
  ],
  [
    'no event',
    'hooks:\n  - name: a\n    config: { url: "https://a.example" }\n',
    '2:5: A hook needs at least one event',
  ],
  [
    'an invalid address',
    'hooks:\n  - name: a\n    events: [Role.Created]\n    config: { url: "ftp://a.example" }\n',
    '2:5: The URL of a hook must be http or https',
  ],
  ['no name', 'hooks:\n  - config: { url: "https://a.example" }\n', '2:5: hooks[0] lacks name'],
  [
    'a duplicate name',
    'hooks:\n  - { name: a, events: [Role.Created], config: { url: "https://a.example" } }\n  - { name: a, events: [Role.Created], config: { url: "https://a.example" } }\n',
    '3:7: a is declared twice',
  ],
  [
    'an empty list of events',
    'hooks:\n  - name: Orders\n    events: []\n    config: { url: "https://a.example" }\n',
    '2:5: A hook needs at least one event',
  ],
  [
    'a variable that is not set',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes variables
    'hooks:\n  - name: a\n    config: { url: "https://a.example/${NOBODY}" }\n',
    '3:20: the variable NOBODY is not set',
  ],
])('a fault is named with line and column, and nothing is kept: %s', async (_, text, expected) => {
  const before = await files.everything()
  expect(await files.faults(text)).toContain(`tenant.yaml:${expected}`)
  expect(await files.everything()).toEqual(before)
})
