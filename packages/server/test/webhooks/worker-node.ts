/**
 * A worker in a process of its own, to be killed. Its clock began at the same moment as that of every other of the test and runs
 * faster than the machine's, so that what a killed one had taken need not be waited for. Arguments: the moment in epoch
 * milliseconds, how many times faster, how many seconds ahead.
 */
import { readConfiguration } from '@countersign/server/configuration.ts'
import { startWorkerProcess } from '@countersign/server/worker-process.ts'

const [began = 0, pace = 1, ahead = 0] = process.argv.slice(2).map(Number)
const clock = {
  now: () => new Date(began + (performance.timeOrigin + performance.now() - began) * pace + ahead * 1000),
}
await startWorkerProcess(readConfiguration(process.env), { clock })
process.stdout.write('ready\n')
