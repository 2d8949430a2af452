/**
 * What signing in elsewhere costs: a whole social sign-in without the provider's share, and a sign-in with an email address
 * and a password in a tenant with ten thousand SSO connectors.
 */
import { IdentityProvider } from '@countersign/harness/identity-provider.ts'
import { atMost, median, type Section, spread } from '../figures.ts'
import { repeatFor } from '../load.ts'
import { PASSWORD, type Population, REDIRECT_URI } from '../population.ts'
import { type Measured, measure, type Subject } from '../rounds.ts'
import { signInAtProvider, signInOverHttp } from '../sign-in.ts'
import type { World } from '../world.ts'
import { postgresGrowth, roundTrips, speed } from './client-credentials.ts'
import { FEW, PLAN } from './users.ts'

/** Microseconds. */
const SOCIAL_MOST = 5000
const CONNECTORS = 10_000
const AT_ONCE = 2

const repeating = ({ server }: World, once: () => Promise<void>): Subject => ({
  ...server,
  next: () => Buffer.alloc(0),
  load: (seconds) => repeatFor(seconds, once, AT_ONCE),
})

/** Gives every user an account at the provider, whose id there is their username. */
const addIdentities = async ({ database }: World): Promise<void> => {
  await database.query(
    `INSERT INTO user_identities (tenant_id, target, identity_id, user_id, created_at)
     SELECT tenant_id, 'bench', username, id, now() FROM users WHERE username LIKE 'bench%'`,
  )
  await database.query(
    `UPDATE users SET identities = jsonb_build_object('bench', jsonb_build_object('userId', username, 'details', '{}'::jsonb))
     WHERE username LIKE 'bench%'`,
  )
  await database.query('VACUUM ANALYZE')
}

/** The provider runs in this process, which is not measured. */
const social = async (world: World, population: Population): Promise<Section> => {
  const { api, server } = world
  const provider = await new IdentityProvider(() => new Date()).start()
  try {
    const body = { connectorId: 'oidc', config: provider.config, metadata: { target: 'bench' } }
    const { id } = await api.createConnector({ body })
    await api.updateSignInExperience({ body: { socialSignInConnectorTargets: ['bench'] } })
    await addIdentities(world)
    const signIn = () => {
      const sub = population.username(Math.floor(Math.random() * population.size))
      // as ID tokens of the usual scopes: an address is in them, and userinfo need not be asked
      const person = { sub, name: 'Somebody', email: `${sub}@people.example`, email_verified: true }
      return signInAtProvider(server.port, population.client, id, REDIRECT_URI, (uri) => provider.signIn(uri, person))
    }
    const { measured } = await measure(world, { measured: repeating(world, signIn) }, PLAN)
    const cpu = median(measured.cpu)
    return {
      title: 'Social sign-in of users who have an account, without the provider’s share',
      figures: [
        ...speed('social sign-in', measured),
        atMost('social sign-in: CPU', cpu, `${spread(measured.cpu, 0)} µs`, SOCIAL_MOST, ' µs'),
        { name: 'social sign-in: database round trips', value: roundTrips(measured) },
      ],
    }
  } finally {
    await provider.close()
  }
}

/** Connectors of companies with a domain each, none of which is that of the users. */
const addConnectors = async ({ api, database }: World): Promise<void> => {
  await database.query(
    `INSERT INTO sso_connectors (tenant_id, id, provider_name, connector_name, sealed_config, is_complete, branding, created_at)
     SELECT 'default', 's' || lpad(i::text, 20, '0'), 'OIDC', 'Company ' || i, '', true, '{}', now() FROM generate_series(1, $1::integer) i`,
    [CONNECTORS],
  )
  await database.query(
    `INSERT INTO sso_connector_domains (tenant_id, domain, connector_id, position)
     SELECT 'default', 'company' || i || '.example', 's' || lpad(i::text, 20, '0'), 0 FROM generate_series(1, $1::integer) i`,
    [CONNECTORS],
  )
  await database.query('VACUUM ANALYZE')
  // the server learns of changes by its API
  await api.updateSignInExperience({ body: { singleSignOnEnabled: true } })
}

const enterprise = async (world: World, population: Population): Promise<Section> => {
  const { api, database, server } = world
  await database.query(
    `UPDATE users SET primary_email = username || '@people.example', email_key = username || '@people.example'
     WHERE tenant_id = 'default' AND username LIKE 'bench%'`,
  )
  await database.query('VACUUM ANALYZE')
  const byPassword = { password: true, verificationCode: false, isPasswordPrimary: true }
  const methods = (['username', 'email'] as const).map((identifier) => ({ identifier, ...byPassword }))
  await api.updateSignInExperience({ body: { signIn: { methods } } })
  const signIn = () => {
    const address = `${population.username(Math.floor(Math.random() * population.size))}@people.example`
    return signInOverHttp(server.port, population.client, address, PASSWORD, REDIRECT_URI)
  }
  const run = async (): Promise<Measured> =>
    (await measure(world, { measured: repeating(world, signIn) }, PLAN)).measured
  const without = await run()
  await addConnectors(world)
  const having = await run()
  const cpu = median(having.cpu) / median(without.cpu)
  const trips = having.roundTripsPerRequest - without.roundTripsPerRequest
  return {
    title: `A sign-in with an email address and a password, without and with ${CONNECTORS.toLocaleString('en')} SSO connectors`,
    figures: [
      ...speed('without', without),
      ...speed('with', having),
      { ...atMost('CPU', cpu, cpu.toFixed(2), 1.1, ' times'), postgres: postgresGrowth(without, having) },
      atMost('database round trips more', Math.round(trips), trips.toFixed(2), 0, ''),
    ],
  }
}

/** @param print called with each section as soon as it is measured */
export const federation = async (
  world: World,
  population: Population,
  print: (section: Section) => void,
): Promise<void> => {
  await population.growTo(FEW)
  print(await social(world, population))
  print(await enterprise(world, population))
}
