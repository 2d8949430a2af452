/** A worker thread that runs scripts, one at a time. It is told what to run and answers with the outcome; it knows nothing else. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { cpuTime, createEngine } from './engine.ts'
import type { ScriptRun, WorkerMessage } from './script.ts'

const LOW_PRIORITY = 10
// there the priority is that of the thread: who answers requests goes first. Elsewhere it would be that of the whole process
if (process.platform === 'linux') setPriority(LOW_PRIORITY)

const port = parentPort
if (!port) throw new Error('worker.ts is a worker of pool.ts')
const say = (message: WorkerMessage) => port.postMessage(message)
const engine = createEngine()
port.on('message', async (run: ScriptRun) => say(await engine.run(run)))
say({ cpuTime: cpuTime() })
