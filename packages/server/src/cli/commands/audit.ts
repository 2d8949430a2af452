/** `countersign audit`: the audit log as lines of JSON. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { readConfiguration } from '../../configuration.ts'
import { openOutput } from '../output.ts'

interface ExportOptions {
  readonly tenant: string
  readonly since?: Date
  readonly until?: Date
  readonly key?: string
  readonly entity?: string
  readonly output?: string
}

const moment = (text: string): Date => {
  const time = new Date(/^\d+$/.test(text) ? Number(text) : text)
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be a time such as 2026-11-21T09:30:00Z, or milliseconds since 1970.')
  return time
}

const runExport = async ({ tenant, since, until, key, entity, output }: ExportOptions): Promise<void> => {
  const configuration = readConfiguration(process.env)
  const { exportAuditLines } = await import('../../audit-export.ts')
  const { write, close } = await openOutput(output)
  try {
    const count = await exportAuditLines(configuration, tenant, { from: since, until, key, entity }, write)
    console.error(`Exported ${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}.`)
  } finally {
    await close()
  }
}

export const auditCommand = (): Command =>
  new Command('audit')
    .description('Export the audit log.')
    .addCommand(
      new Command('export')
        .description('Write the entries, oldest first, one per line, as GET /api/logs shows them.')
        .addOption(new Option('--tenant <id>', 'whose entries').default('default'))
        .addOption(new Option('--since <time>', 'only entries from this time on').argParser(moment))
        .addOption(new Option('--until <time>', 'only entries before this time').argParser(moment))
        .option('--key <key>', 'only entries with this key, such as ManagementApi.addUserRoles')
        .option('--entity <id>', 'only entries that concern the user, role, application and so on with this id')
        .option('--output <file>', 'write to this new file, readable by its owner only; standard output by default')
        .action(runExport),
    )
