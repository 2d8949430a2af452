/** `countersign explain exchange`: what an application would get, and why, without a running server. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CommandLine, commandLine } from './program.ts'

let cli: CommandLine
let portal: string
beforeAll(async () => {
  cli = await commandLine(inject('cluster'))
  const file = {
    resources: [
      { name: 'Bills', indicator: 'https://bills.example', permissions: [{ name: 'read:bills' }, { name: 'pay' }] },
    ],
    roles: [{ name: 'clerk', type: 'User', permissions: { 'https://bills.example': ['read:bills'] } }],
    applications: [
      {
        name: 'Portal',
        type: 'Traditional',
        customClientMetadata: {
          allowTokenExchange: true,
          exchangePolicies: [
            { name: 'with someone', effect: 'allow', actor: 'required' },
            { name: 'a minute', effect: 'allow', subjects: ['subject_token'], maxLifetime: 60 },
          ],
        },
      },
    ],
  }
  const { status, err } = await cli.run(['apply', '-f', '-'], { input: JSON.stringify(file) })
  expect([status, err]).toEqual([0, ''])
  const [row] = await cli.query<{ id: string }>(`SELECT id FROM applications WHERE name = 'Portal'`)
  portal = row?.id ?? ''
  await cli.query(
    `INSERT INTO users (tenant_id, id, name, created_at, updated_at) VALUES ('default', 'ada', 'Ada', now(), now())`,
  )
  await cli.query(
    `INSERT INTO users_roles (tenant_id, user_id, role_id, created_at) SELECT 'default', 'ada', id, now() FROM roles WHERE name = 'clerk'`,
  )
})
afterAll(() => cli.close())

const explain = (...args: string[]) =>
  cli.run(['explain', 'exchange', '--application', portal, '--subject', 'ada', ...args])

test('says what the token would be, by which rule, and which scopes remain', async () => {
  const { status, out, err } = await explain('--subject-type', 'subject_token', '--resource', 'https://bills.example')
  expect([status, err]).toEqual([0, ''])
  expect(out).toBe(
    [
      'allowed: a JWT for https://bills.example, for 60 seconds at most',
      '',
      'Rules, in order:',
      '  -      exchangePolicies: with someone (does not apply: it needs an actor token)',
      '  allow  exchangePolicies: a minute',
      '',
      'Scopes:',
      '  dropped  pay (no role of the subject holds a permission of exactly this name for the resource)',
      '  granted  read:bills',
      '',
    ].join('\n'),
  )
})

test('says which error there would be, and why; as JSON, what the Management API says', async () => {
  const { status, out } = await explain('--resource', 'https://bills.example')
  expect([status, out.split('\n')[0]]).toEqual([
    0,
    'refused: invalid_target, the application may not exchange this token for this resource (no row of exchangePolicies allows it)',
  ])
  expect(out).toContain('  deny  default: what no row applies to')
  const json = JSON.parse((await explain('--resource', 'https://bills.example', '--json')).out)
  expect(json).toMatchObject({ refusal: { error: 'invalid_target' }, audience: null })
})

test('an unknown application, user or kind is an error in one sentence', async () => {
  for (const [args, sentence] of [
    [['--application', 'none'], /application.*none/],
    [['--subject', 'nobody'], /user.*nobody/],
    [['--subject-type', 'id_token'], /Allowed choices are access_token/],
    [['--tenant', 'none'], /none/],
  ] as const) {
    const { status, err } = await explain(...args)
    expect([status, err]).toEqual([1, expect.stringMatching(sentence)])
  }
})
