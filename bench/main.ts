/**
 * `npm run bench`: starts the server as a user would and the bare handler beside it, and prints what the hot paths cost,
 * as ratios within one run. Loopback only; everything is stopped and removed at the end.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { stopChildren } from './child.ts'
import { printed, type Section } from './figures.ts'
import { createInstallation, type Installation } from './installation.ts'
import { clientCredentials, measureOneApplication } from './scenarios/client-credentials.ts'
import { customClaims } from './scenarios/custom-claims.ts'
import { userImport } from './scenarios/import.ts'
import { manyApplications } from './scenarios/many-applications.ts'
import { roleRemoval } from './scenarios/role-removal.ts'
import { startTime } from './scenarios/start-time.ts'
import { users } from './scenarios/users.ts'
import { webhooks } from './scenarios/webhooks.ts'
import { createWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    import: { type: 'boolean', default: false },
    webhooks: { type: 'boolean', default: false },
  },
})

const print = (section: Section): void => console.log(printed(section))

const run = async (installation: Installation): Promise<void> => {
  if (values.import) return print(await userImport(installation))
  if (values.webhooks) return print(await webhooks(installation, values.quick))
  print(await startTime(installation))
  const world = await createWorld(installation, values.quick)
  try {
    const oneApplication = await measureOneApplication(world)
    print(clientCredentials(oneApplication))
    print(await manyApplications(world, oneApplication))
    print(await roleRemoval(world))
    print(await customClaims(world, oneApplication))
    await users(world, print)
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
