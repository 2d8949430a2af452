/** An identity provider by Keycloak, which Maven fetches; Java 17 has to be there. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)
const VERSION = '26.0.7'
const cache = join(import.meta.dirname, '../node_modules/.cache/interoperability')
const home = join(cache, `keycloak-${VERSION}`)

/** A SAML connector of ours, as the identity provider has to know it. */
export interface ServiceProvider {
  readonly entityId: string
  readonly acsUrl: string
  readonly logoutUrl: string
  /** Base64 of the certificate that signs, and that is encrypted to. */
  readonly certificate: string
}

export interface User {
  readonly username: string
  readonly password: string
  readonly email: string
}

const install = async (): Promise<void> => {
  if (existsSync(home)) return
  const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`
  const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy'
  await run('mvn', ['-q', '-B', copy, `-Dartifact=${artifact}`, `-DoutputDirectory=${cache}`])
  await run('unzip', ['-q', '-o', join(cache, `keycloak-quarkus-dist-${VERSION}.zip`), '-d', cache])
}

const realmOf = (sp: ServiceProvider, { username, password, email }: User) => ({
  realm: 'acme',
  enabled: true,
  users: [
    {
      ...{ username, email, firstName: 'Ann', lastName: 'Acme', enabled: true, emailVerified: true },
      credentials: [{ type: 'password', value: password }],
    },
  ],
  clients: [
    {
      ...{
        clientId: sp.entityId,
        protocol: 'saml',
        enabled: true,
        frontchannelLogout: true,
        redirectUris: [sp.acsUrl],
      },
      attributes: {
        'saml.client.signature': 'true',
        'saml.signing.certificate': sp.certificate,
        'saml.server.signature': 'true',
        'saml.assertion.signature': 'true',
        'saml.signature.algorithm': 'RSA_SHA256',
        'saml.encrypt': 'true',
        'saml.encryption.certificate': sp.certificate,
        'saml.authnstatement': 'true',
        saml_name_id_format: 'persistent',
        saml_force_name_id_format: 'true',
        saml_assertion_consumer_url_post: sp.acsUrl,
        saml_single_logout_service_url_redirect: sp.logoutUrl,
        saml_single_logout_service_url_post: sp.logoutUrl,
      },
      protocolMappers: [
        {
          ...{ name: 'email', protocol: 'saml', protocolMapper: 'saml-user-property-mapper' },
          config: { 'user.attribute': 'email', 'attribute.name': 'email', 'attribute.nameformat': 'Basic' },
        },
      ],
    },
  ],
})

/** Starts it with a realm that knows the connector and the user. */
export const startKeycloak = async (port: number, sp: ServiceProvider, user: User): Promise<ChildProcess> => {
  await install()
  await mkdir(join(home, 'data/import'), { recursive: true })
  await writeFile(join(home, 'data/import/acme-realm.json'), JSON.stringify(realmOf(sp, user)))
  const options = ['--import-realm', '--db=dev-mem', `--http-port=${port}`, '--http-host=127.0.0.1', '--cache=local']
  const child = spawn(join(home, 'bin/kc.sh'), ['start-dev', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // its script starts Java as a child
    detached: true,
  })
  const said: string[] = []
  for await (const line of createInterface(child.stdout)) {
    said.push(line)
    if (line.includes('Listening on:')) break
  }
  if (child.exitCode !== null) throw new Error(`Keycloak has not started: ${said.slice(-20).join('\n')}`)
  child.stdout.resume()
  return child
}
