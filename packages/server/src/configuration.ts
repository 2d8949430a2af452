/** The configuration of the whole server: the options of every module in one table. */
import { assetOptions } from './assets/options.ts'
import { consoleOptions } from './console/options.ts'
import { eventOptions } from './events/options.ts'
import { httpOptions } from './http/options.ts'
import { type Option, type OptionValues, readOptions } from './kernel/configuration.ts'
import { logOptions } from './kernel/log.ts'
import { storageOptions } from './storage/options.ts'

/** Every option of the server, in the order in which `countersign config` lists them. */
export const OPTIONS = {
  ...httpOptions,
  ...consoleOptions,
  ...storageOptions,
  ...assetOptions,
  ...eventOptions,
  ...logOptions,
}
export type Configuration = OptionValues<typeof OPTIONS> & { readonly baseUrl: string }

/** Reads the configuration. Throws ConfigurationError with one sentence that names the variable. */
export const readConfiguration = (env: NodeJS.ProcessEnv): Configuration => {
  const values = readOptions(OPTIONS, env)
  return { ...values, baseUrl: values.baseUrl ?? `http://localhost:${values.port}` }
}

export interface DescribedOption {
  readonly env: string
  readonly default: string | undefined
  readonly description: string
  /** The current value; undefined for secrets and for options that are not set. */
  readonly value: string | undefined
  readonly isSet: boolean
}

/** The options as an operator reads them, secrets left out. */
export const describeOptions = (env: NodeJS.ProcessEnv): DescribedOption[] =>
  Object.values<Option<unknown>>(OPTIONS).map(({ env: variable, default: fallback, description, secret }) => {
    const set = env[variable]?.trim() || undefined
    const value = secret ? undefined : (set ?? fallback)
    return { env: variable, default: fallback, description, value, isSet: set !== undefined }
  })
