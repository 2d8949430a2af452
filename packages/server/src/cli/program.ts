/**
 * The command line: `countersign`. One file per command; a command imports a composition root only, and loads any that
 * the server does not need when the command runs, because a running server would keep it in memory.
 */
import { Command } from 'commander'
import { VERSION } from '../kernel/version.ts'
import { adminCommand } from './commands/admin.ts'
import { applyCommand } from './commands/apply.ts'
import { auditCommand } from './commands/audit.ts'
import { configCommand } from './commands/config.ts'
import { doctorCommand } from './commands/doctor.ts'
import { explainCommand } from './commands/explain.ts'
import { exportCommand } from './commands/export.ts'
import { initCommand } from './commands/init.ts'
import { keysCommand } from './commands/keys.ts'
import { mcpCommand } from './commands/mcp.ts'
import { migrateCommand } from './commands/migrate.ts'
import { openapiCommand } from './commands/openapi.ts'
import { startCommand } from './commands/start.ts'
import { tenantsCommand } from './commands/tenants.ts'
import { usersCommand } from './commands/users.ts'
import { workerCommand } from './commands/worker.ts'
import { fail } from './report.ts'

/**
 * Runs a command in this process: its environment, folder, streams and exit status are the command's.
 * @param args what follows `countersign`
 */
export const runCommand = async (args: readonly string[]): Promise<void> => {
  const program = new Command('countersign')
    .description('A self-hosted OAuth 2.0 / OpenID Connect authorization server.')
    .version(VERSION)
    .addHelpText('after', '\nEvery option is an environment variable; `countersign config` lists them.')
    .addCommand(startCommand())
    .addCommand(workerCommand())
    .addCommand(initCommand())
    .addCommand(migrateCommand())
    .addCommand(tenantsCommand())
    .addCommand(adminCommand())
    .addCommand(usersCommand())
    .addCommand(keysCommand())
    .addCommand(auditCommand())
    .addCommand(applyCommand())
    .addCommand(exportCommand())
    .addCommand(configCommand())
    .addCommand(openapiCommand())
    .addCommand(doctorCommand())
    .addCommand(explainCommand())
    .addCommand(mcpCommand())
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    fail(error)
  }
}
