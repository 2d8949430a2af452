/** `countersign export`: writes a tenant as a file that `countersign apply` takes. */
import { Command, Option } from 'commander'
import { readConfiguration } from '../../configuration.ts'

export const exportCommand = (): Command =>
  new Command('export')
    .description('Write the configuration of a tenant as a file for `countersign apply`. Secrets are left out.')
    .addOption(new Option('--tenant <id>', 'which one').default('default'))
    .action(async ({ tenant }: { tenant: string }) => {
      const { exportTenantFile } = await import('../../tenant-declaration.ts')
      process.stdout.write(await exportTenantFile(readConfiguration(process.env), tenant))
    })
