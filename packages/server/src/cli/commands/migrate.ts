/** `countersign migrate`: brings the database to this version; `start` does the same by itself. */
import { Command } from 'commander'
import { readConfiguration } from '../../configuration.ts'

const run = async ({ dryRun = false }: { dryRun?: boolean }): Promise<void> => {
  const { runMigrations } = await import('../../administration.ts')
  const migrations = await runMigrations(readConfiguration(process.env), dryRun)
  if (migrations.length === 0) {
    console.log('The database is up to date; there is nothing to migrate.')
    return
  }
  console.log(dryRun ? 'These migrations would run:' : 'These migrations ran:')
  for (const { version, name, sql } of migrations) {
    console.log(`  ${String(version).padStart(4, '0')} ${name}`)
    if (dryRun) console.log(sql.replace(/^/gm, '      '))
  }
}

export const migrateCommand = (): Command =>
  new Command('migrate')
    .description('Migrate the database to this version.')
    .option('--dry-run', 'show which migrations would run without changing anything')
    .action(run)
