/**
 * `countersign apply` and `countersign export`: scripts of custom claims. Their variables are secrets, so an export has
 * only their names.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TenantFiles, tenantFiles } from './tenant-file.ts'

let files: TenantFiles
beforeAll(async () => {
  files = await tenantFiles(inject('cluster'))
})
afterAll(() => files.server.close())

const env = { CRM_KEY: 's3cret' }
/* the content of a script is not substituted */
const FILE = `jwtCustomizers:
  access-token:
    script: |
      const getCustomJwtClaims = ({ environmentVariables }) => ({
        plan: \`\${environmentVariables.CRM_URL}/\${1 + 1}\`,
      })
    environmentVariables: { CRM_KEY: '\${CRM_KEY}', CRM_URL: 'https://crm.example' }
    contextSample: { user: { id: a } }
    blockIssuanceOnError: false
    cpuLimit: 50
  client-credentials:
    script: 'const getCustomJwtClaims = () => ({})'
`
const customizer = async (kind: string) => (await files.server.api('GET', `/configs/jwt-customizer/${kind}`)).body

test('scripts are set as the file says; a dry run reports it, a second run changes nothing', async () => {
  const before = await files.everything()
  const told = ['+ custom claims of access-token', '+ custom claims of client-credentials']
  expect(await files.apply(FILE, { env, isDry: true })).toEqual(told)
  expect(await files.everything()).toEqual(before)
  expect(await files.apply(FILE, { env })).toEqual(told)
  expect(await customizer('access-token')).toMatchObject({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a part of the script
    script: expect.stringContaining('${environmentVariables.CRM_URL}/${1 + 1}'),
    environmentVariables: { CRM_KEY: 's3cret', CRM_URL: 'https://crm.example' },
    contextSample: { user: { id: 'a' } },
    blockIssuanceOnError: false,
    cpuLimit: 50,
  })
  expect(await customizer('client-credentials')).toMatchObject({ blockIssuanceOnError: true, cpuLimit: 100 })
  const after = await files.everything()
  for (const options of [{}, { isDry: true }, { prune: true }])
    expect(await files.apply(FILE, { env, ...options })).toEqual([])
  expect(await files.everything()).toEqual(after)
})

test('an export holds no secret, is applied without a change, and makes another tenant equal', async () => {
  const exported = await files.export()
  for (const secret of ['s3cret', 'https://crm.example']) expect(exported).not.toContain(secret)
  const after = await files.everything()
  expect(await files.apply(exported)).toEqual([])
  expect(await files.everything()).toEqual(after)
  await files.createTenant('acme')
  expect(await files.faults(exported, { tenant: 'acme' })).toMatch(
    /^tenant\.yaml:\d+:7: CRM_KEY has no value here, and none is stored$/,
  )
  const complete = exported.replace('CRM_KEY: null', 'CRM_KEY: a').replace('CRM_URL: null', 'CRM_URL: b')
  await files.apply(complete, { tenant: 'acme' })
  expect((await files.export('acme')).split('\n').slice(1)).toEqual(exported.split('\n').slice(1))
})

test('differences are applied and reported without values; what is not in the file stays; --prune deletes the other kind', async () => {
  const script = 'const getCustomJwtClaims = () => ({ a: 1 })'
  const changed = `jwtCustomizers:
  access-token:
    script: '${script}'
    environmentVariables: { CRM_KEY:, CRM_URL: 'https://other.example', REGION: eu }
    cpuLimit: 60
`
  const told = [
    '~ custom claims of access-token: script differs',
    'environmentVariables: + REGION',
    'environmentVariables.CRM_URL differs',
    'cpuLimit: 50 → 60',
  ].join('; ')
  expect(await files.apply(changed, { isDry: true })).toEqual([told])
  expect(await files.apply(changed)).toEqual([told])
  expect(await customizer('access-token')).toMatchObject({
    script,
    environmentVariables: { CRM_KEY: 's3cret', CRM_URL: 'https://other.example', REGION: 'eu' },
    contextSample: { user: { id: 'a' } },
    blockIssuanceOnError: false,
    cpuLimit: 60,
  })
  expect(await files.apply(changed)).toEqual([])
  expect(await files.apply(changed, { prune: true })).toEqual(['- custom claims of client-credentials'])
  expect((await files.server.api('GET', '/configs/jwt-customizer')).body).toHaveLength(1)
})

test.each<[string, string, string]>([
  ['an unknown kind of token', 'jwtCustomizers:\n  id-token: { script: a }\n', '2:3: id-token is not a known key'],
  ['an unknown key', 'jwtCustomizers:\n  access-token: { script: a, code: b }\n', '2:30: code is not a known key'],
  ['no script', 'jwtCustomizers:\n  access-token: { cpuLimit: 5 }\n', '2:3: access-token lacks script'],
  [
    'a script without the function',
    'jwtCustomizers:\n  client-credentials:\n    script: const a = 1\n',
    '3:5: the script cannot run: ',
  ],
  ['an invalid script', 'jwtCustomizers:\n  access-token:\n    script: "function ("\n', '3:5: the script cannot run: '],
  [
    'a limit out of bounds',
    'jwtCustomizers:\n  access-token: { script: a, cpuLimit: 5000 }\n',
    '2:30: cpuLimit must be <= 1000',
  ],
  [
    'a variable that is not set',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes variables
    'jwtCustomizers:\n  access-token: { script: a, environmentVariables: { A: "${NOBODY}" } }\n',
    '2:57: the variable NOBODY is not set',
  ],
])('a fault is named with line and column, and nothing is kept: %s', async (_, text, expected) => {
  const before = await files.everything()
  expect(await files.faults(`roles: [{ name: undone }]\n${text}`)).toContain(
    `tenant.yaml:${expected.replace(/^\d+/, (line) => String(Number(line) + 1))}`,
  )
  expect(await files.everything()).toEqual(before)
})
