/** `countersign init`: does what the first start would, and prints the credentials of the Management API. */
import { Command } from 'commander'
import { readConfiguration } from '../../configuration.ts'

export const initCommand = (): Command =>
  new Command('init')
    .description('Create the default tenant if it is missing, and print the credentials of the Management API as JSON.')
    .action(async () => {
      const { initialize } = await import('../../administration.ts')
      console.log(JSON.stringify(await initialize(readConfiguration(process.env)), null, 2))
    })
