/** `countersign keys`: list, rotate and delete signing keys (DECISIONS G1). */
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { ListedKey } from '../../administration.ts'
import { readConfiguration } from '../../configuration.ts'
import { table } from '../report.ts'

const seconds = (text: string): number => {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.')
  return Number(text)
}

const show = (keys: readonly ListedKey[]): void =>
  console.log(
    table(
      ['CHAIN', 'STATE', 'ALGORITHM', 'SIGNS FROM', 'ID'],
      keys.map(({ chain, state, algorithm, effectiveAt, id }) => [
        chain,
        state,
        algorithm,
        effectiveAt.toISOString(),
        id,
      ]),
    ),
  )

interface OfTenant {
  readonly tenant: string
}
const ofTenant = (): Option => new Option('--tenant <id>', 'whose keys').default('default')

type Rotation = OfTenant & { readonly algorithm?: SigningAlgorithm; readonly grace: number }

const list = async ({ tenant }: OfTenant): Promise<void> => {
  const { listKeys } = await import('../../administration.ts')
  show(await listKeys(readConfiguration(process.env), tenant))
}

const rotate = async ({ tenant, algorithm, grace }: Rotation): Promise<void> => {
  const { rotateKeys } = await import('../../administration.ts')
  show(await rotateKeys(readConfiguration(process.env), tenant, algorithm, grace))
}

const remove = async (id: string, { tenant }: OfTenant): Promise<void> => {
  const { removeKey } = await import('../../administration.ts')
  await removeKey(readConfiguration(process.env), tenant, id)
  console.log(`Key ${id} is deleted.`)
}

export const keysCommand = (): Command =>
  new Command('keys')
    .description('List, rotate and delete signing keys.')
    .addCommand(
      new Command('list').description('List the keys of a tenant, newest first.').addOption(ofTenant()).action(list),
    )
    .addCommand(
      new Command('rotate')
        .description(
          'Create a new key in every chain; it signs after a grace period, so that verifiers know it by then.',
        )
        .addOption(ofTenant())
        .addOption(
          new Option('--algorithm <name>', 'for the chain main; that of its current key by default').choices([
            ...SIGNING_ALGORITHMS,
          ]),
        )
        .addOption(
          new Option('--grace <seconds>', 'how long the key is published before it signs')
            .argParser(seconds)
            .default(600),
        )
        .action(rotate),
    )
    .addCommand(
      new Command('delete')
        .description('Delete a key in the state Previous; tokens signed with it are refused from then on.')
        .argument('<id>')
        .addOption(ofTenant())
        .action(remove),
    )
