/** `countersign admin`: who may sign in to the console. */
import { Command, Option } from 'commander'
import { readConfiguration } from '../../configuration.ts'
import { table } from '../report.ts'

interface OfTenant {
  readonly tenant: string
}

const load = () => import('../../administrators.ts')

const create = async (name: string, { tenant, role }: OfTenant & { readonly role: string }): Promise<void> => {
  const { addAdministrator } = await load()
  const password = await addAdministrator(readConfiguration(process.env), tenant, name, role)
  console.log(`${name} is an administrator with the role ${role}.`)
  if (password !== undefined) console.log(`A user was created. Password: ${password}`)
}

const list = async ({ tenant }: OfTenant): Promise<void> => {
  const { administratorsOf } = await load()
  const administrators = await administratorsOf(readConfiguration(process.env), tenant)
  console.log(
    table(
      ['USER', 'NAME', 'ROLES', 'SUSPENDED'],
      administrators.map((row) => [
        row.id,
        row.username ?? row.primary_email ?? row.name ?? '',
        row.role_ids.join(', '),
        row.is_suspended ? 'yes' : 'no',
      ]),
    ),
  )
}

const remove = async (name: string, { tenant }: OfTenant): Promise<void> => {
  const { dropAdministrator } = await load()
  await dropAdministrator(readConfiguration(process.env), tenant, name)
  console.log(`${name} is no longer an administrator.`)
}

const link = async ({ tenant }: OfTenant): Promise<void> => {
  const { newAdministratorLink } = await load()
  console.log(await newAdministratorLink(readConfiguration(process.env), tenant))
}

const ofTenant = (): Option => new Option('--tenant <id>', 'the tenant').default('default')
const NAME = 'a username, an email address, a phone number, or the id of a user'

export const adminCommand = (): Command =>
  new Command('admin')
    .description('Decide who may sign in to the console.')
    .addCommand(
      new Command('create')
        .description('Make a user an administrator; creates the user, and prints a password, where there is none.')
        .argument('<name>', NAME)
        .option('--role <id>', 'owner, administrator, developer, support, auditor, or the id of an own role', 'owner')
        .addOption(ofTenant())
        .action(create),
    )
    .addCommand(new Command('list').description('List the administrators.').addOption(ofTenant()).action(list))
    .addCommand(
      new Command('remove')
        .description('Remove an administrator; the user stays.')
        .argument('<name>', NAME)
        .addOption(ofTenant())
        .action(remove),
    )
    .addCommand(
      new Command('link')
        .description('Print a one-time link that makes the first administrator; it lasts for a day.')
        .addOption(ofTenant())
        .action(link),
    )
