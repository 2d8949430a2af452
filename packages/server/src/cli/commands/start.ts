/** `countersign start`: runs the server until it is told to stop. */
import { relative } from 'node:path'
import { Command } from 'commander'
import { readConfiguration } from '../../configuration.ts'
import type { Server } from '../../server.ts'
import { runUntilStopped } from '../until-stopped.ts'

/** A path as a shell reads it, whatever it contains. */
const quoted = (path: string): string => JSON.stringify(path).replaceAll("'", "'\\''")

/** A path below the current folder as a relative one, any other unchanged. */
const nearby = (path: string): string => {
  const way = relative(process.cwd(), path)
  return way.startsWith('..') ? path : way
}

interface Started extends Server {
  /** The link that makes the first administrator, while there is none. */
  readonly link: string | undefined
}

const greeting = ({ tenant, managementFile, adminPort, link, consoleAddress }: Started): string => {
  const lines = [`Countersign is ready at ${tenant.baseUrl}`, '']
  if (link !== undefined)
    lines.push(
      'The console has no administrator yet. This link makes the first; it works once, for a day:',
      '',
      `  ${link}`,
      '',
    )
  else if (consoleAddress) lines.push(`  Console:                            ${consoleAddress}`)
  if (managementFile) {
    lines.push(
      `  Credentials of the Management API:  ${nearby(managementFile)}`,
      `  API documentation:                  ${tenant.baseUrl}/api/docs`,
      '',
      'A first token:',
      '',
      `  curl -s ${tenant.issuer}/token \\`,
      `    -u "$(node -p 'const c = require(${quoted(managementFile)}); c.clientId + ":" + c.clientSecret')" \\`,
      `    -d grant_type=client_credentials -d resource=${tenant.managementApi} -d scope=all`,
    )
  } else {
    lines.push(
      `  API documentation:  ${tenant.baseUrl}/api/docs`,
      '  Credentials of the Management API:  countersign init',
    )
  }
  if (adminPort !== undefined) lines.push('', `  Metrics:  port ${adminPort}, /metrics`)
  return `${lines.join('\n')}\n`
}

export const startCommand = (): Command =>
  new Command('start')
    .description('Run the server. Without DATABASE_URL it uses its own embedded PostgreSQL.')
    .action(async () => {
      const { startServer } = await import('../../server.ts')
      const { administratorLink } = await import('../../administrators.ts')
      const configuration = readConfiguration(process.env)
      const start = async (): Promise<Started> => {
        const server = await startServer(configuration)
        const link = server.consoleAddress ? await administratorLink(server.store, server.tenant) : undefined
        return { ...server, link }
      }
      await runUntilStopped(start, greeting, configuration.auditLogFile === '-')
    })
