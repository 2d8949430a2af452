/**
 * A server in a process of its own, to be killed. Its clock runs ahead of the machine's by as many seconds as the argument says,
 * so that the node that takes over need not wait for a lease.
 */
import { readConfiguration } from '@countersign/server/configuration.ts'
import { startServer } from '@countersign/server/server.ts'

const ahead = Number(process.argv[2]) * 1000
const clock = { now: () => new Date(performance.timeOrigin + performance.now() + ahead) }
const { credentials } = await startServer(readConfiguration(process.env), { clock })
process.stdout.write(`ready ${JSON.stringify(credentials ?? null)}\n`)
