/**
 * `npm run interoperability`: signs a user in to service providers that are not ours, pysaml2 and SimpleSAMLphp, with signed requests
 * and encrypted assertions. Needs Debian's packages simplesamlphp, php-cli, php-xml, php-mbstring and xmlsec1, and Python with pip, which
 * installs pysaml2.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startCluster } from '../packages/harness/src/cluster.ts'
import { startTestServer, type TestServer } from '../packages/harness/src/server.ts'
import { newCertifiedKey } from '../packages/server/src/kernel/certificates.ts'
import { Browser, type Page } from '../packages/server/test/sign-in/browser.ts'
import { newAddress, startServiceProvider } from './simplesamlphp.ts'

const here = dirname(fileURLToPath(import.meta.url))
const environment = join(here, '../node_modules/.cache/interoperability')
const PASSWORD = 'correct horse battery'
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' as const
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' as const
const USER = { username: 'hank', name: 'Hank <Scorpio> & Söhne', password: PASSWORD }

const run = async (command: string, args: readonly string[]): Promise<void> => {
  const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'close')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

const python = async (): Promise<string> => {
  const program = join(environment, 'bin/python')
  if (existsSync(program)) return program
  await run('python3', ['-m', 'venv', environment])
  await run(join(environment, 'bin/pip'), ['install', '--quiet', 'pysaml2==7.5.5'])
  return program
}

const expectThat = (fact: string, isSo: boolean): void => {
  console.log(`${isSo ? 'ok  ' : 'FAIL'} ${fact}`)
  if (!isSo) process.exitCode = 1
}

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** What a page posts by itself. */
const formOf = ({ text }: Page) => ({
  action: unescaped(/<form method="post" action="([^"]*)"/.exec(text)?.[1] ?? ''),
  fields: Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name ?? '',
      unescaped(value ?? ''),
    ]),
  ) as Record<string, string>,
})

const signIn = async (browser: Browser, address: string): Promise<Page> =>
  browser.submit(await browser.open(address), { identifier: USER.username, password: PASSWORD })

const settingsFor = (entityId: string, url: string, certificate: string) => ({
  entityId,
  acsUrl: { binding: POST, url } as const,
  nameIdFormat: PERSISTENT,
  attributeMapping: { name: 'displayName', username: 'uid' },
  requestCertificates: [certificate],
  requireSignedRequests: true,
  encryption: { encryptAssertion: true, encryptThenSign: true, certificate },
})

const newKey = () => newCertifiedKey('sp.example', new Date(Date.now() - 3_600_000), new Date(Date.now() + 86_400_000))

const withPysaml2 = async ({ baseUrl, client }: TestServer, folder: string): Promise<void> => {
  const key = await newKey()
  const [entityId, acsUrl] = ['https://sp.example/pysaml2', 'https://sp.example/pysaml2/acs']
  const { id } = await client.createSamlApplication({
    body: { name: 'pysaml2', ...settingsFor(entityId, acsUrl, key.certificate) },
  })
  const files = {
    keyFile: join(folder, 'py.key'),
    certFile: join(folder, 'py.crt'),
    metadataFile: join(folder, 'idp.xml'),
  }
  await writeFile(files.keyFile, key.privateKey)
  await writeFile(files.certFile, key.certificate)
  const metadata = await fetch(`${baseUrl}/api/saml-applications/${id}/metadata`)
  await writeFile(files.metadataFile, await metadata.text())
  const child = spawn(await python(), [join(here, 'pysaml2-sp.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  child.stdin.write(`${JSON.stringify({ entityId, acsUrl, ...files })}\n`)
  const { location } = JSON.parse((await lines.next()).value ?? '{}')
  const { action, fields } = formOf(await signIn(new Browser('https://sp.example/'), location))
  expectThat('pysaml2: the response goes to its Assertion Consumer Service', action === acsUrl)
  expectThat('pysaml2: RelayState comes back', fields.RelayState === 'from pysaml2')
  child.stdin.end(`${fields.SAMLResponse}\n`)
  const { name, attributes } = JSON.parse((await lines.next()).value ?? '{}')
  expectThat('pysaml2: accepts the response with its encrypted assertion', /^[\w-]{43}$/.test(name))
  expectThat(
    'pysaml2: reads the attributes',
    attributes?.displayName?.[0] === USER.name && attributes.uid[0] === USER.username,
  )
}

const withSimpleSamlPhp = async ({ baseUrl, client }: TestServer, folder: string): Promise<void> => {
  const [key, address] = [await newKey(), await newAddress()]
  const { id } = await client.createSamlApplication({
    body: {
      name: 'SimpleSAMLphp',
      ...settingsFor(address.entityId, address.acsUrl, key.certificate),
      // what it asks for by default
      nameIdFormat: TRANSIENT,
      singleLogout: { url: address.logoutUrl, binding: REDIRECT },
    },
  })
  const [active] = await client.listSamlApplicationSecrets({ params: { id } })
  const idp = {
    entityId: `${baseUrl}/api/saml-applications/${id}/metadata`,
    signOnUrl: `${baseUrl}/api/saml/${id}/authn`,
    logoutUrl: `${baseUrl}/api/saml/${id}/slo`,
    certificate: (active?.certificate ?? '').replace(/-----[^-]+-----|\s/g, ''),
  }
  const php = await startServiceProvider(folder, address, idp, key)
  try {
    const browser = new Browser('https://nowhere.example/')
    const start = `${address.base}/module.php/core/authenticate.php?as=default-sp`
    const { action, fields } = formOf(await signIn(browser, start))
    expectThat('SimpleSAMLphp: the response goes to its Assertion Consumer Service', action === address.acsUrl)
    const page = await browser.open(action, { method: 'POST', body: new URLSearchParams(fields) })
    const shown = unescaped(page.text)
    expectThat(
      'SimpleSAMLphp: accepts the response and shows the attributes',
      shown.includes(USER.name) && shown.includes('hank'),
    )
    const over = await browser.open(`${address.base}/module.php/core/authenticate.php?as=default-sp&logout`)
    expectThat(
      'SimpleSAMLphp: single logout ends with its own page',
      over.status === 200 && over.url.origin === address.base,
    )
    const again = await browser.open(start)
    expectThat('SimpleSAMLphp: the next visit asks for a sign-in', again.url.pathname.startsWith('/sign-in/'))
  } finally {
    php.kill()
  }
}

const cluster = await startCluster()
const folder = await mkdtemp(join(tmpdir(), 'countersign-interoperability-'))
try {
  const server = await startTestServer(cluster.address)
  try {
    await server.client.createUser({ body: USER })
    await withPysaml2(server, folder)
    await withSimpleSamlPhp(server, join(folder, 'php'))
  } finally {
    await server.close()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
  await cluster.stop()
}
