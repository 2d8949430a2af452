/** `countersign worker`: does the background work until it is told to stop. */
import { Command } from 'commander'
import { readConfiguration } from '../../configuration.ts'
import type { WorkerProcess } from '../../worker-process.ts'
import { runUntilStopped } from '../until-stopped.ts'

const greeting = ({ tenant, adminPort }: WorkerProcess): string => {
  const ready = `A worker for Countersign at ${tenant.baseUrl} is ready`
  return adminPort === undefined ? ready : `${ready}\n\n  Metrics:  port ${adminPort}, /metrics\n`
}

const help = `
Any number of workers may run on one database, beside any number of servers; with WORKERS=off a server leaves this work
to them. A worker needs the same DATABASE_URL and SECRET_KEY as the server, and a migrated database. It serves nothing
but /metrics and /status, if ADMIN_PORT is set.`

export const workerCommand = (): Command =>
  new Command('worker')
    .description('Send webhooks, mail and logout tokens and delete what has expired; serve no HTTP.')
    .addHelpText('after', help)
    .action(async () => {
      const { startWorkerProcess } = await import('../../worker-process.ts')
      const configuration = readConfiguration(process.env)
      await runUntilStopped(() => startWorkerProcess(configuration), greeting, configuration.auditLogFile === '-')
    })
