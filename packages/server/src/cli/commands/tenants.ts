/** `countersign tenants`: create, list and delete tenants (DECISIONS A7). */
import { Command } from 'commander'
import { readConfiguration } from '../../configuration.ts'
import { table } from '../report.ts'

const create = async (id: string, { baseUrl, name }: { baseUrl: string; name?: string }): Promise<void> => {
  const { createTenant } = await import('../../administration.ts')
  const credentials = await createTenant(readConfiguration(process.env), { id, name: name ?? id, baseUrl })
  console.log(JSON.stringify(credentials, null, 2))
}

const list = async (): Promise<void> => {
  const { listTenants } = await import('../../administration.ts')
  const tenants = await listTenants(readConfiguration(process.env))
  console.log(
    table(
      ['ID', 'NAME', 'BASE URL'],
      tenants.map(({ id, name, baseUrl }) => [id, name, baseUrl]),
    ),
  )
}

const remove = async (id: string, { yes }: { yes?: boolean }): Promise<void> => {
  const { findDeletable, removeTenant } = await import('../../administration.ts')
  const configuration = readConfiguration(process.env)
  if (!yes) {
    const { baseUrl } = await findDeletable(configuration, id)
    console.error(
      `This deletes tenant ${id} (${baseUrl}) with everything that belongs to it. Repeat the command with --yes to confirm.`,
    )
    process.exitCode = 1
    return
  }
  await removeTenant(configuration, id)
  console.log(`Tenant ${id} is deleted.`)
}

export const tenantsCommand = (): Command =>
  new Command('tenants')
    .description('Create, list and delete tenants.')
    .addCommand(
      new Command('create')
        .description('Create a tenant and print the credentials of its Management API as JSON.')
        .argument('<id>', 'up to 21 characters of a-z, 0-9 and -')
        .requiredOption('--base-url <url>', 'the address of the tenant, on its own host')
        .option('--name <name>', 'a display name')
        .action(create),
    )
    .addCommand(new Command('list').description('List the tenants.').action(list))
    .addCommand(
      new Command('delete')
        .description('Delete a tenant and everything that belongs to it.')
        .argument('<id>')
        .option('--yes', 'confirm the deletion')
        .action(remove),
    )
