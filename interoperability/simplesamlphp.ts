/** A service provider by SimpleSAMLphp, as Debian packages it, on PHP's own web server, with a configuration of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../packages/harness/src/free-port.ts'
import type { CertifiedKey } from '../packages/server/src/kernel/certificates.ts'

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

/** Starts it, with signed requests, and with encrypted assertions required. @param folder empty, for its files */
export const startServiceProvider = async (
  folder: string,
  address: Address,
  idp: IdentityProvider,
  key: CertifiedKey,
): Promise<ChildProcess> => {
  for (const each of ['metadata', 'log', 'tmp', 'sessions']) await mkdir(join(folder, each), { recursive: true })
  await writeFile(join(folder, 'sp.key'), key.privateKey)
  await writeFile(join(folder, 'sp.crt'), key.certificate)
  const config = {
    baseurlpath: `${address.base}/`,
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
    phpFile('config', [...entries, "'metadata.sources' => [['type' => 'flatfile']]"]),
  )
  const source = [
    "'saml:SP'",
    `'entityID' => ${phpText(address.entityId)}`,
    `'idp' => ${phpText(idp.entityId)}`,
    "'privatekey' => 'sp.key'",
    "'certificate' => 'sp.crt'",
    "'sign.authnrequest' => true",
    "'sign.logout' => true",
    "'redirect.sign' => true",
    "'WantAssertionsSigned' => true",
    "'assertion.encryption' => true",
    "'signature.algorithm' => 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'",
  ]
  await writeFile(join(folder, 'authsources.php'), phpFile('config', [`'default-sp' => [${source.join(', ')}]`]))
  const services = (url: string) =>
    `[['Binding' => 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', 'Location' => ${phpText(url)}]]`
  const remote = [
    `'SingleSignOnService' => ${services(idp.signOnUrl)}`,
    `'SingleLogoutService' => ${services(idp.logoutUrl)}`,
    `'keys' => [['encryption' => false, 'signing' => true, 'type' => 'X509Certificate', 'X509Certificate' => ${phpText(idp.certificate)}]]`,
  ]
  await writeFile(
    join(folder, 'metadata/saml20-idp-remote.php'),
    phpFile('metadata', [`${phpText(idp.entityId)} => [${remote.join(', ')}]`]),
  )
  const { host } = new URL(address.base)
  const child = spawn('php', ['-S', host, '-t', WWW], {
    env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of child.stderr) if (String(line).includes('started')) break
  if (child.exitCode !== null) await once(child, 'close')
  return child
}
