/** `countersign doctor` names what is wrong, with its cause, and creates nothing (DECISIONS A5). */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { IdentityProvider } from '@countersign/harness/identity-provider.ts'
import { SamlIdentityProvider } from '@countersign/harness/saml-identity-provider.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { configOf, startMailServer } from '../management/mail.ts'
import { type CommandLine, commandLine } from './program.ts'

let cli: CommandLine
/** An address where nothing listens. The base URL is on this machine, so that the mail server may be too. */
let baseUrl: string
beforeAll(async () => {
  cli = await commandLine(inject('cluster'))
  baseUrl = `http://127.0.0.1:${await freePort()}`
  await cli.query('UPDATE tenants SET base_url = $1', [baseUrl])
})
afterAll(() => cli.close())

const diagnosis = async (env: NodeJS.ProcessEnv = { BASE_URL: baseUrl }) => {
  const { status, out, err } = await cli.run(['doctor'], { env })
  expect(err).toBe('')
  return { status, out, mail: out.split('\n').find((line) => line.includes('mail of default:')) }
}

const connect = async (config: object, connectorId: string = SMTP) => {
  const input = JSON.stringify({ connectors: [{ connectorId, config }] })
  expect(await cli.run(['apply', '-f', '-'], { input })).toMatchObject({ status: 0, err: '' })
}

test('an unreachable base URL is reported with the cause, a different BASE_URL with both values', async () => {
  const { status, out, mail } = await diagnosis({ BASE_URL: 'http://auth.example' })
  expect(status).toBe(1)
  expect(out).toContain(`PROBLEM  base URL ${baseUrl}: cannot be reached from here: fetch failed (ECONNREFUSED)\n`)
  expect(out).toContain(
    `warning  BASE_URL: is http://auth.example here, but the tenant is at ${baseUrl}, which is what`,
  )
  expect(mail).toMatch(/^ok {7}mail of default: no connector is set up/)
  expect((await diagnosis()).out).not.toContain('BASE_URL:')
  const moved = await diagnosis({ BASE_URL: baseUrl, CONSOLE: baseUrl.replace('127.0.0.1', 'localhost') })
  expect(moved.out).toMatch(/PROBLEM {2}console http:\/\/localhost:\d+: cannot be reached from here: /)
  expect((await diagnosis()).out).not.toContain('console http')
})

test('doctor connects and logs in to the mail server, but sends no mail', async () => {
  const asked: (string | undefined)[] = []
  const server = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      asked.push(username)
      if (password === 'right') done(null, { user: username })
      else done(new Error('Try another'))
    },
  })
  const { port } = server
  try {
    await connect({ ...configOf(server), auth: { user: 'ada', pass: 'right' } })
    expect((await diagnosis()).mail).toBe(`ok       mail of default: 127.0.0.1:${port} accepts the login`)
    await connect({ ...configOf(server), auth: { user: 'ada', pass: 'wrong' } })
    const refused = `PROBLEM  mail of default: 127.0.0.1:${port}: the mail server refused the login (`
    const { mail, status } = await diagnosis()
    expect(mail?.slice(0, refused.length)).toBe(refused)
    expect(mail).toContain('Try another')
    expect([status, asked, server.mails]).toEqual([1, ['ada', 'ada'], []])
  } finally {
    await server.close()
  }
  expect((await diagnosis()).mail).toContain('the mail server cannot be reached (connect ECONNREFUSED')
  await connect({ endpoint: 'https://messages.example.com/mail' }, 'http-email')
  expect((await diagnosis()).mail).toMatch(/^ok .*sent through http-email, which only a test message can check/)
})

test('doctor asks the providers of connectors for their metadata and keys', async () => {
  const provider = await new IdentityProvider(() => new Date()).start()
  const { issuer } = provider
  const about = async () => {
    const { out, status } = await diagnosis()
    const lines = out.split('\n').filter((line) => line.includes('onnector '))
    return { status, lines: lines.map((line) => line.replace(/^(\S+) +/, '$1 ')) }
  }
  const social = (target: string, config: object) => ({ connectorId: 'oidc', metadata: { target }, config })
  const plain = { connectorId: 'github-universal', config: { clientId: 'client', clientSecret: 'secret' } }
  const enterprise = { providerName: 'OIDC', connectorName: 'Acme', domains: ['acme.example'], config: provider.config }
  const nowhere = { ...provider.config, issuer: 'https://10.99.0.1' }
  const connectors = [social('there', provider.config), social('nowhere', nowhere), plain]
  const saml = await new SamlIdentityProvider(() => new Date()).start()
  const config = { metadataUrl: saml.entityId }
  const globex = { providerName: 'SAML', connectorName: 'Globex', domains: ['globex.example'], config }
  const input = JSON.stringify({ connectors, ssoConnectors: [enterprise, globex] })
  expect(await cli.run(['apply', '-f', '-'], { input })).toMatchObject({ status: 0, err: '' })
  const { lines } = await about()
  expect(lines.toSorted()).toEqual([
    'PROBLEM connector nowhere of default: users cannot sign in there: the host is at an address that is not public',
    `ok SSO connector Acme of default: ${issuer} is reached; public keys: 1`,
    expect.stringMatching(
      /^ok SSO connector Globex of default: \S+ is reached and has a certificate that is valid until 2\d{3}-\d\d-\d\d$/,
    ),
    'ok connector github of default: plain OAuth 2.0, which only a sign-in can check',
    `ok connector there of default: ${issuer} is reached; public keys: 1`,
  ])
  const globexNow = async () => (await about()).lines.find((line) => line.includes('Globex'))
  const [key] = saml.keys
  saml.keys = [await saml.newKey(20)]
  expect(await globexNow()).toMatch(/^warning .* no certificate that is valid after 2\d{3}-\d\d-\d\d: from then on/)
  saml.keys = [...saml.keys, ...(key ? [key] : [])]
  expect(await globexNow()).toMatch(/^ok /)
  provider.lie = 'discovery of another issuer'
  saml.keys = [await saml.newKey(-1, -10)]
  const wrong = await about()
  expect(wrong.status).toBe(1)
  expect(wrong.lines.filter((line) => line.startsWith('PROBLEM')).length).toBe(4)
  expect(wrong.lines.join()).toMatch(
    /Globex of default: users cannot sign in there: none of its certificates is valid; .* expired on/,
  )
  await provider.close()
  await saml.close()
})

test('doctor stores an image and removes it again', async () => {
  const uploads = async (env: NodeJS.ProcessEnv) => {
    const { out, status } = await diagnosis({ BASE_URL: baseUrl, ...env })
    return [out.split('\n').find((line) => line.includes('uploads:')), status]
  }
  const parent = await mkdtemp(join(tmpdir(), 'countersign-uploads-'))
  try {
    expect((await uploads({}))[0]).toBe('ok       uploads: no storage for images is configured, so uploads are refused')
    const directory = join(parent, 'images')
    expect((await uploads({ ASSETS_DIRECTORY: directory }))[0]).toBe(
      `ok       uploads: images can be stored: ${directory}`,
    )
    expect(await readdir(parent)).toEqual([])
    await writeFile(directory, 'no directory')
    const [problem, status] = await uploads({ ASSETS_DIRECTORY: directory })
    expect(problem).toMatch(/^PROBLEM {2}uploads: images cannot be stored: E(EXIST|NOTDIR)/)
    expect(status).toBe(1)
  } finally {
    await rm(parent, { recursive: true })
  }
})

test('a data directory without an installation stays unchanged', async () => {
  const none = { DATABASE_URL: '', SECRET_KEY: '' }
  const there = { status: 1, err: '', out: expect.stringMatching(/^PROBLEM {2}installation: there is none in .*\n$/) }
  const before = await readdir(cli.folder)
  for (const DATA_DIR of [cli.folder, join(cli.folder, 'mistyped')])
    expect(await cli.run(['doctor'], { env: { ...none, DATA_DIR } })).toMatchObject(there)
  expect(await readdir(cli.folder)).toEqual(before)
})
