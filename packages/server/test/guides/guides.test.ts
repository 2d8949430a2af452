/** Every guide, its commands as they are printed: in one installation, in any order, some of them twice. */
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@countersign/harness/free-port.ts'
import { openInstallation } from '@countersign/harness/guide.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { testSeed } from '@countersign/harness/test-seed.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { accountApi } from './account-api.ts'
import { accountPages } from './account-pages.ts'
import { captcha } from './captcha.ts'
import { ciba } from './ciba.ts'
import { console as consoleGuide } from './console.ts'
import { crossAppAccess } from './cross-app-access.ts'
import { customClaims } from './custom-claims.ts'
import { device } from './device.ts'
import { dpop } from './dpop.ts'
import { dynamicRegistration } from './dynamic-registration.ts'
import { enterpriseSso } from './enterprise-sso.ts'
import { fapi } from './fapi.ts'
import { machineToMachine } from './machine-to-machine.ts'
import { magicLinks } from './magic-links.ts'
import { messages } from './messages.ts'
import { mtls } from './mtls.ts'
import { nativeSso } from './native-sso.ts'
import { operations } from './operations.ts'
import { ownSignInPage } from './own-sign-in-page.ts'
import { passkeys } from './passkeys.ts'
import { protectAnMcpServer } from './protect-an-mcp-server.ts'
import { registration } from './registration.ts'
import { revocationFeed } from './revocation-feed.ts'
import { richAuthorization } from './rich-authorization.ts'
import { rolesAndOrganizations } from './roles-and-organizations.ts'
import { samlApplication } from './saml-application.ts'
import { scim } from './scim.ts'
import { secondFactors } from './second-factors.ts'
import { sharedSignals } from './shared-signals.ts'
import { signIn } from './sign-in.ts'
import { signInWithGithub, signInWithGoogle, socialSignIn } from './social-sign-in.ts'
import { impersonation, serviceToService } from './token-exchange.ts'
import { uploads } from './uploads.ts'
import { type Place, type Walk, withGuide } from './walk.ts'
import { webhooks } from './webhooks.ts'
import { workloadIdentity } from './workload-identity.ts'

const WALKS: Readonly<Record<string, Walk>> = {
  'account-api': accountApi,
  'account-pages': accountPages,
  captcha,
  ciba,
  console: consoleGuide,
  'cross-app-access': crossAppAccess,
  'custom-claims': customClaims,
  device,
  dpop,
  'dynamic-registration': dynamicRegistration,
  'enterprise-sso': enterpriseSso,
  fapi,
  impersonation,
  'machine-to-machine': machineToMachine,
  'magic-links': magicLinks,
  messages,
  mtls,
  'native-sso': nativeSso,
  operations,
  'own-sign-in-page': ownSignInPage,
  passkeys,
  'protect-an-mcp-server': protectAnMcpServer,
  registration,
  'revocation-feed': revocationFeed,
  'rich-authorization': richAuthorization,
  'roles-and-organizations': rolesAndOrganizations,
  'saml-application': samlApplication,
  scim,
  'second-factors': secondFactors,
  'service-to-service': serviceToService,
  'shared-signals': sharedSignals,
  'sign-in': signIn,
  'sign-in-with-github': signInWithGithub,
  'sign-in-with-google': signInWithGoogle,
  'social-sign-in': socialSignIn,
  uploads,
  webhooks,
  'workload-identity': workloadIdentity,
}
/** For the guide with the most commands, each of which starts a process or two. */
const LONGEST_MS = 300_000
/** How many guides are followed again, which takes as long as the first time. */
const AGAIN = 3
/** Pseudo-random numbers from 0 to 1 that follow from `TEST_SEED` (mulberry32). */
const random = (() => {
  let state = testSeed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
})()
const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => [random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value)
const names = Object.keys(WALKS)
const order = shuffled([...names, ...shuffled(names).slice(0, AGAIN)])

let server: TestServer
let place: Place
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const ports = [String(await freePort()), String(await freePort())] as const
  place = { ...(await openInstallation(server)), ports }
})
afterAll(async () => {
  await place.close()
  await server.close()
})

test(`each guide is followed, in the order of the seed ${testSeed}`, async () => {
  const pages = await readdir(fileURLToPath(new URL('../../../../docs/guides', import.meta.url)))
  expect(pages.map((page) => page.replace('.md', '')).sort()).toEqual(names.toSorted())
})

test.each(order)('%s, step by step', { timeout: LONGEST_MS }, async (name) => {
  await WALKS[name]?.(place)
  expect(await place.strayFiles()).toEqual([])
})

test('the state after all guides is exported to a file that changes nothing', () =>
  withGuide(place, 'operations', async ({ type }) => {
    await type('npx countersign export > data/exported.yaml')
    expect(await type('grep -c "^  - name: " data/exported.yaml')).toMatch(/^[1-9]\d/)
    // the secret of the connector that the guide about cross-app access makes: an exported file has variables for secrets
    expect(await type('SSO_INITECH_CLIENT_SECRET=secret npx countersign apply -f data/exported.yaml --dry-run')).toBe(
      'Everything already matches the file.\n',
    )
  }))
