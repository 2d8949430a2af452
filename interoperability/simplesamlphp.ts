/**
 * A service provider and an identity provider by SimpleSAMLphp, as Debian packages it, on PHP's own web server, each with a configuration
 * of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../packages/harness/src/free-port.ts'
import type { CertifiedKey } from '../packages/server/src/kernel/certificates.ts'
import type { ServiceProvider, User } from './keycloak.ts'

const WWW = '/usr/share/simplesamlphp/www'

export interface IdentityProvider {
  readonly entityId: string
  readonly signOnUrl: string
  readonly logoutUrl: string
  /** Base64 of the certificate. */
  readonly certificate: string
}

/** Where it will answer: known before it starts, because the application has to be registered first. */
export const newAddress = async () => {
  const base = `http://localhost:${await freePort()}`
  return {
    base,
    entityId: `${base}/module.php/saml/sp/metadata.php/default-sp`,
    acsUrl: `${base}/module.php/saml/sp/saml2-acs.php/default-sp`,
    logoutUrl: `${base}/module.php/saml/sp/saml2-logout.php/default-sp`,
  }
}
export type Address = Awaited<ReturnType<typeof newAddress>>

const phpText = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const phpFile = (name: string, entries: readonly string[]) => `<?php\n$${name} = [\n${entries.join(',\n')}\n];\n`

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

const services = (binding: string, url: string) => `[['Binding' => ${phpText(binding)}, 'Location' => ${phpText(url)}]]`
const signing = (certificate: string, encryption = false) =>
  `'keys' => [['encryption' => ${encryption}, 'signing' => true, 'type' => 'X509Certificate', 'X509Certificate' => ${phpText(certificate)}]]`

/** @param more entries of its configuration */
const start = async (
  folder: string,
  base: string,
  key: CertifiedKey,
  source: readonly string[],
  more: readonly string[] = [],
): Promise<ChildProcess> => {
  for (const each of ['metadata', 'log', 'tmp', 'sessions']) await mkdir(join(folder, each), { recursive: true })
  await writeFile(join(folder, 'own.key'), key.privateKey)
  await writeFile(join(folder, 'own.crt'), key.certificate)
  const config = {
    baseurlpath: `${base}/`,
    certdir: `${folder}/`,
    loggingdir: `${folder}/log/`,
    datadir: `${folder}/`,
    tempdir: `${folder}/tmp`,
    metadatadir: `${folder}/metadata/`,
    secretsalt: 'only for this run',
    'auth.adminpassword': 'only for this run, too',
    technicalcontact_email: 'na@example.org',
    timezone: 'UTC',
    'logging.handler': 'stderr',
    'store.type': 'phpsession',
    'session.phpsession.savepath': `${folder}/sessions`,
    'language.default': 'en',
    'theme.use': 'default',
  }
  const entries = Object.entries(config).map(([name, value]) => `${phpText(name)} => ${phpText(value)}`)
  await writeFile(
    join(folder, 'config.php'),
    phpFile('config', [...entries, "'metadata.sources' => [['type' => 'flatfile']]", ...more]),
  )
  await writeFile(join(folder, 'authsources.php'), phpFile('config', source))
  const { host } = new URL(base)
  const child = spawn('php', ['-S', host, '-t', WWW], {
    env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of child.stderr) if (String(line).includes('started')) break
  if (child.exitCode !== null) await once(child, 'close')
  return child
}

/** Starts a service provider, with signed requests, and with encrypted assertions required. @param folder empty, for its files */
export const startServiceProvider = async (
  folder: string,
  address: Address,
  idp: IdentityProvider,
  key: CertifiedKey,
): Promise<ChildProcess> => {
  const source = [
    "'saml:SP'",
    `'entityID' => ${phpText(address.entityId)}`,
    `'idp' => ${phpText(idp.entityId)}`,
    "'privatekey' => 'own.key'",
    "'certificate' => 'own.crt'",
    "'sign.authnrequest' => true",
    "'sign.logout' => true",
    "'redirect.sign' => true",
    "'WantAssertionsSigned' => true",
    "'assertion.encryption' => true",
    `'signature.algorithm' => ${phpText(RSA_SHA256)}`,
  ]
  const remote = [
    `'SingleSignOnService' => ${services(REDIRECT, idp.signOnUrl)}`,
    `'SingleLogoutService' => ${services(REDIRECT, idp.logoutUrl)}`,
    signing(idp.certificate),
  ]
  await mkdir(join(folder, 'metadata'), { recursive: true })
  await writeFile(
    join(folder, 'metadata/saml20-idp-remote.php'),
    phpFile('metadata', [`${phpText(idp.entityId)} => [${remote.join(', ')}]`]),
  )
  return start(folder, address.base, key, [`'default-sp' => [${source.join(', ')}]`])
}

/**
 * Starts an identity provider that knows a connector and a user: it wants signed requests, and encrypts the NameID and the assertion.
 * @param folder empty, for its files
 */
export const startIdentityProvider = async (
  folder: string,
  base: string,
  sp: ServiceProvider,
  { username, password, email }: User,
  key: CertifiedKey,
): Promise<ChildProcess> => {
  const attributes = `'uid' => [${phpText(username)}], 'mail' => [${phpText(email)}]`
  const hosted = [
    "'host' => '__DEFAULT__'",
    "'privatekey' => 'own.key'",
    "'certificate' => 'own.crt'",
    "'auth' => 'users'",
    "'redirect.sign' => true",
    "'redirect.validate' => true",
    "'sign.logout' => true",
    "'validate.logout' => true",
    "'assertion.encryption' => true",
    "'nameid.encryption' => true",
    `'signature.algorithm' => ${phpText(RSA_SHA256)}`,
    "'NameIDFormat' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'",
    "'authproc' => [3 => ['class' => 'saml:AttributeNameID', 'attribute' => 'uid', 'identifyingAttribute' => 'uid', 'Format' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent']]",
  ]
  const remote = [
    `'AssertionConsumerService' => ${services(POST, sp.acsUrl)}`,
    `'SingleLogoutService' => ${services(REDIRECT, sp.logoutUrl)}`,
    "'validate.authnrequest' => true",
    "'saml20.sign.assertion' => true",
    signing(sp.certificate, true),
  ]
  await mkdir(join(folder, 'metadata'), { recursive: true })
  const write = (name: string, id: string, entries: readonly string[]) =>
    writeFile(join(folder, `metadata/${name}.php`), phpFile('metadata', [`${phpText(id)} => [${entries.join(', ')}]`]))
  await write('saml20-idp-hosted', `${base}/saml2/idp/metadata.php`, hosted)
  await write('saml20-sp-remote', sp.entityId, remote)
  const users = `'users' => ['exampleauth:UserPass', ${phpText(`${username}:${password}`)} => [${attributes}]]`
  return start(
    folder,
    base,
    key,
    [users],
    ["'enable.saml20-idp' => true", "'module.enable' => ['exampleauth' => true]"],
  )
}
