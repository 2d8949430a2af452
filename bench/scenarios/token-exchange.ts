/**
 * Both exchanges of SPEC 4: a support desk's subject token for a token of the user, and a user's access token for one of
 * another API, requested by the backend that received it. Without a script of custom claims and with one that reads the
 * user; with ten thousand and with a million users in the database.
 */

import { atMost, type Figure, median, type Section, spread } from '../figures.ts'
import { tokenRequest } from '../load.ts'
import { registerApplication } from '../management.ts'
import { type Population, REDIRECT_URI } from '../population.ts'
import { type Measured, measure, type Plan, type Subject } from '../rounds.ts'
import { ASKED, type World } from '../world.ts'
import {
  bareHandler,
  megabytes,
  postgresBudget,
  postgresGrowth,
  ratios,
  roundTrips,
  speed,
} from './client-credentials.ts'

const FEW = 10_000
const MANY = 1_000_000
const PLAN: Plan = { rounds: 4, seconds: 2, warmUp: 6 }

/** The target API; the users' own tokens are for ASKED.resource. */
const BILLING = { resource: 'https://billing.example/api', scope: 'read:bills pay:bills' }
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
/** Users whose access tokens are exchanged, spread over all. */
const BRINGING = 200
/** More than one measurement can consume. */
const SUBJECT_TOKENS = 100_000

/** Name of a measurement → the most round trips that it may take (ARCHITECTURE.md). */
const BUDGETS = { impersonation: 3, delegation: 2 } as const
type Name = keyof typeof BUDGETS
const NAMES = Object.keys(BUDGETS) as Name[]
type Results = Readonly<Record<Name | 'bare', Measured>>
/** Microseconds of PostgreSQL's CPU that an exchange may take (docs/decisions/0024). */
const POSTGRES = 400

/** Microseconds. */
const MOST_ADDED = 1000
const OF_SCRIPT = { tokenTypePath: 'access-token' } as const
const SCRIPT = `
const getCustomJwtClaims = async ({ token, context, environmentVariables }) => ({
  name: context.user.name,
  roles: context.user.roles.map(({ name }) => name),
  region: environmentVariables.REGION,
  ticket: context.grant?.subjectTokenContext.ticket,
  may: (token.scope ?? '').split(' ').some((scope) => scope.startsWith('pay:')) ? 'pay' : 'read',
})`

interface Backend {
  readonly clientId: string
  readonly clientSecret: string
}

/** The second API, a role of users that holds the requested permissions, and an application that may exchange. */
const arrange = async ({ api }: World): Promise<{ readonly backend: Backend; readonly roleId: string }> => {
  const scopeIds: string[] = []
  const { id: resourceId } = await api.createResource({ body: { name: 'Billing', indicator: BILLING.resource } })
  for (const name of BILLING.scope.split(' ')) {
    scopeIds.push((await api.createScope({ params: { resourceId }, body: { name } })).id)
  }
  const role = await api.createRole({ body: { name: 'Customer', description: '', type: 'User', scopeIds } })
  const backend = await registerApplication(api, {
    name: 'Backend',
    type: 'Traditional',
    customClientMetadata: { allowTokenExchange: true },
  })
  return { backend, roleId: role.id }
}

const value = (index: number) => `sub_${String(index).padStart(43, '0')}`
const hashed = (sql: string) => `sha256(convert_to('sub_' || lpad((${sql})::text, 43, '0'), 'UTF8'))`

/** Every user holds the role; subject tokens of users in turn, numbered from a continuing counter. */
const insert = async ({ database }: World, roleId: string, users: number, from: number) => {
  await database.query(`SET session_replication_role = replica`)
  await database.query(
    `INSERT INTO users_roles (tenant_id, user_id, role_id, created_at)
     SELECT 'default', 'u' || lpad(i::text, 11, '0'), $2, now() FROM generate_series(0, $1::integer - 1) i
     ON CONFLICT DO NOTHING`,
    [users, roleId],
  )
  await database.query(
    `INSERT INTO subject_tokens (tenant_id, hash, id, user_id, context, creator, created_at, expires_at)
     SELECT 'default', ${hashed('i')}, 's' || lpad(i::text, 20, '0'),
       'u' || lpad(((i::bigint * 7919) % $3)::text, 11, '0'), '{"ticket": "T-1"}', '{"type": "application"}',
       now(), now() + interval '1 day' FROM generate_series($1::integer, $2::integer - 1) i`,
    [from, from + SUBJECT_TOKENS, users],
  )
  await database.query(`SET session_replication_role = DEFAULT`)
  await database.query('VACUUM ANALYZE users_roles, subject_tokens')
  await database.query('CHECKPOINT')
}

/** Access tokens of users who signed in, for the first API: codes that were authorized for it, redeemed. */
const accessTokens = async ({ database, installation }: World, { client, size, code }: Population, from: number) => {
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')
  const tokens: string[] = []
  for (let index = 0; index < BRINGING; index += 1) {
    const own = code(from + index)
    await database.query(
      `UPDATE authorization_codes SET resources = $2, grant_id = 'g' || lpad($3::text, 20, '0')
       WHERE hash = sha256(convert_to($1, 'UTF8'))`,
      [own, [ASKED.resource], Math.floor((index * size) / BRINGING)],
    )
    const response = await fetch(`${installation.baseUrl}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: own,
        redirect_uri: REDIRECT_URI,
        resource: ASKED.resource,
      }),
    })
    if (response.status !== 200) throw new Error(`No access token of a user: ${await response.text()}`)
    tokens.push(((await response.json()) as { access_token: string }).access_token)
  }
  return tokens
}

const exchangeRequest = (backend: Backend, subjectToken: string): Buffer =>
  tokenRequest(backend, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: subjectToken,
    subject_token_type: ACCESS_TOKEN,
    ...BILLING,
  })

/** @param next the number of the next subject token */
const subjects = (
  world: World,
  backend: Backend,
  tokens: readonly string[],
  next: () => number,
): Record<keyof Results, Subject> => {
  const delegations = tokens.map((token) => exchangeRequest(backend, token))
  let turn = 0
  return {
    bare: bareHandler(world),
    impersonation: { ...world.server, next: () => exchangeRequest(backend, value(next())) },
    delegation: {
      ...world.server,
      next: () => {
        turn += 1
        return delegations[turn % delegations.length] ?? Buffer.alloc(0)
      },
    },
  }
}

const trips = (name: Name, measured: Measured): Figure =>
  // a round trip is counted in whole numbers; a heartbeat may fall into a measurement
  atMost(
    `${name}: database round trips`,
    Math.round(measured.roundTripsPerRequest),
    roundTrips(measured),
    BUDGETS[name],
    '',
  )

const sectionOf = (title: string, results: Results): Section => ({
  title,
  figures: NAMES.flatMap((name) => [
    ...speed(name, results[name]),
    ...postgresBudget(name, results[name], POSTGRES),
    trips(name, results[name]),
  ]),
})

const scripted = (plain: Results, results: Results): Section => {
  const section = sectionOf(`Token exchange with a script of custom claims, ${FEW.toLocaleString('en')} users`, results)
  const added = NAMES.map((name): Figure => {
    // other load of the machine also shows in the bare handler
    const base = median(ratios(plain[name], plain.bare))
    const each = results[name].cpu.map((cpu, round) => cpu - base * (results.bare.cpu[round] ?? Number.NaN))
    return atMost(`${name}: CPU that it adds`, median(each), `${spread(each, 0)} µs`, MOST_ADDED, ' µs')
  })
  const memory = { name: 'resident memory with its workers', value: `${megabytes(results.delegation)} MB` }
  return { ...section, figures: [...section.figures, ...added, memory] }
}

const growth = (few: Results, many: Results): Section => ({
  title: `Token exchange: growth from ${FEW.toLocaleString('en')} to ${MANY.toLocaleString('en')} users`,
  figures: NAMES.flatMap((name) => {
    const cpu = median(many[name].cpu) / median(few[name].cpu)
    const p50 = many[name].p50 / few[name].p50
    return [
      {
        ...atMost(`${name}: CPU`, cpu, cpu.toFixed(2), 1.5, ' times'),
        postgres: postgresGrowth(few[name], many[name]),
      },
      atMost(`${name}: p50`, p50, p50.toFixed(2), 1.5, ' times'),
      trips(name, many[name]),
    ]
  }),
})

/**
 * Measures with few users, and returns how to measure again with many. @param
 * print called with each section as soon as it is measured
 */
export const tokenExchange = async (
  world: World,
  population: Population,
  print: (section: Section) => void,
): Promise<{ readonly again: () => Promise<void> }> => {
  const { backend, roleId } = await arrange(world)
  let used = 0
  /** @param codes index from which the codes of the population are not used elsewhere */
  const prepared = async (users: number, codes: number) => {
    await population.growTo(users)
    used = Math.ceil(used / SUBJECT_TOKENS) * SUBJECT_TOKENS
    await insert(world, roleId, users, used)
    const tokens = await accessTokens(world, population, codes)
    return subjects(world, backend, tokens, () => used++)
  }
  const requests = await prepared(FEW, 99_000)
  const plain = await measure(world, requests, PLAN)
  print(sectionOf(`Token exchange, ${FEW.toLocaleString('en')} users`, plain))
  await world.api.putJwtCustomizer({
    params: OF_SCRIPT,
    body: { script: SCRIPT, environmentVariables: { REGION: 'eu' } },
  })
  print(scripted(plain, await measure(world, requests, PLAN)))
  await world.api.deleteJwtCustomizer({ params: OF_SCRIPT })
  return {
    async again() {
      const many = await measure(world, await prepared(MANY, 199_000), PLAN)
      print(growth(plain, many))
    },
  }
}
