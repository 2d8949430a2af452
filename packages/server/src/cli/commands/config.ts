/** `countersign config`: every option, what it means, and its current value. */
import { Command } from 'commander'
import { type DescribedOption, describeOptions, readConfiguration } from '../../configuration.ts'

const describe = ({ env, value, isSet, description, default: fallback }: DescribedOption): string => {
  const shown = value ?? (isSet ? '(set, not shown)' : '(not set)')
  const origin = isSet
    ? `from the environment${fallback === undefined ? '' : `; default ${fallback || '(empty)'}`}`
    : 'default'
  return `${env}=${shown}   # ${origin}\n    ${description}`
}

export const configCommand = (): Command =>
  new Command('config').description('List every option with its value and what it means.').action(() => {
    console.log(describeOptions(process.env).map(describe).join('\n\n'))
    readConfiguration(process.env)
  })
