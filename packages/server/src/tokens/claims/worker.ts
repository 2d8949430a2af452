/**
 * A worker thread that runs scripts, one at a time. It receives what to run and answers with the outcome; it knows
 * nothing else.
 */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { cpuTime, createEngine } from './engine.ts'
import type { ScriptRun, WorkerMessage } from './script.ts'

const LOW_PRIORITY = 10
// on Linux the priority applies to the thread, so that request handling goes first. Elsewhere it would apply to the
// whole process
if (process.platform === 'linux') setPriority(LOW_PRIORITY)

const port = parentPort
if (!port) throw new Error('worker.ts is a worker of pool.ts')
const say = (message: WorkerMessage) => port.postMessage(message)
const engine = createEngine()
port.on('message', async (run: ScriptRun) => say(await engine.run(run)))
say({ cpuTime: cpuTime() })
