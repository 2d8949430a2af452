/**
 * `npm run bench`: starts the server as a user would and the bare handler next to it, and prints the cost of the hot
 * paths as ratios within one run. Loopback only; everything is stopped and removed at the end.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { stopChildren } from './child.ts'
import { printed, type Section } from './figures.ts'
import { createInstallation, type Installation } from './installation.ts'
import { createPopulation, type Population } from './population.ts'
import { clientCredentials, measureOneApplication } from './scenarios/client-credentials.ts'
import { consoleSearch } from './scenarios/console-search.ts'
import { customClaims } from './scenarios/custom-claims.ts'
import { dpop } from './scenarios/dpop.ts'
import { factors } from './scenarios/factors.ts'
import { federation } from './scenarios/federation.ts'
import { userImport } from './scenarios/import.ts'
import { manyApplications } from './scenarios/many-applications.ts'
import { metadata } from './scenarios/metadata.ts'
import { revocations } from './scenarios/revocations.ts'
import { roleRemoval } from './scenarios/role-removal.ts'
import { scale } from './scenarios/scale.ts'
import { scim } from './scenarios/scim.ts'
import { slowScripts } from './scenarios/slow-scripts.ts'
import { startTime } from './scenarios/start-time.ts'
import { tokenExchange } from './scenarios/token-exchange.ts'
import { users } from './scenarios/users.ts'
import { webhooks } from './scenarios/webhooks.ts'
import { createWorld, type World } from './world.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    import: { type: 'boolean', default: false },
    webhooks: { type: 'boolean', default: false },
    exchange: { type: 'boolean', default: false },
    users: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    factors: { type: 'boolean', default: false },
    federation: { type: 'boolean', default: false },
    scim: { type: 'boolean', default: false },
    dpop: { type: 'boolean', default: false },
    metadata: { type: 'boolean', default: false },
    revocations: { type: 'boolean', default: false },
    console: { type: 'boolean', default: false },
  },
})

const print = (section: Section): void => console.log(printed(section))

/** Both sizes of the users; other measurements with the same users come in between. */
const exchanges = async (world: World, between?: (population: Population) => Promise<void>): Promise<void> => {
  const population = await createPopulation(world)
  const { again } = await tokenExchange(world, population, print)
  await between?.(population)
  if (!world.quick) await again()
}

const run = async (installation: Installation): Promise<void> => {
  if (values.import) return print(await userImport(installation))
  if (values.webhooks) return webhooks(installation, values.quick, print)
  if (values.scale) return print(await scale(installation, values.quick))
  print(await startTime(installation))
  const world = await createWorld(installation, values.quick)
  try {
    if (values.exchange) {
      print(await slowScripts(world))
      return await exchanges(world)
    }
    if (values.dpop) return print(await dpop(world))
    if (values.metadata) return print(await metadata(world))
    if (values.revocations) return print(await revocations(world))
    if (values.factors) return print(await factors(world, await createPopulation(world)))
    if (values.federation) return await federation(world, await createPopulation(world), print)
    if (values.scim) return print(await scim(world, await createPopulation(world)))
    if (values.console) return await consoleSearch(world, await createPopulation(world), print)
    if (values.users) return await users(world, await createPopulation(world), print)
    const oneApplication = await measureOneApplication(world)
    print(clientCredentials(oneApplication))
    print(await manyApplications(world, oneApplication))
    print(await dpop(world))
    print(await metadata(world))
    print(await roleRemoval(world))
    print(await customClaims(world, oneApplication))
    print(await slowScripts(world))
    await exchanges(world, (population) => users(world, population, print))
  } finally {
    await world.close()
  }
}

console.log(`Node ${process.version}, ${process.platform}-${process.arch}, ${availableParallelism()} cores`)
if (values.quick) console.log('Quick: too short to quote.')
console.log()
const installation = await createInstallation()
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error('interrupted')))
})
try {
  await Promise.race([run(installation), interrupted])
} finally {
  await stopChildren()
  await installation.remove()
}
