/** `countersign mcp`: the Management API as tools of the Model Context Protocol, on standard input and output; read-only unless told otherwise. */
import { readFile } from 'node:fs/promises'
import { AREAS } from '@countersign/contract/permissions.ts'
import { Command, Option } from 'commander'
import { ConfigurationError } from '../../kernel/configuration.ts'
import { isLoopbackHost } from '../../kernel/network.ts'
import { fileError } from '../file-error.ts'

interface Credentials {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly resource: string
}

interface Options {
  readonly credentials?: string
  readonly baseUrl?: string
  readonly scope: string
  readonly allowWrites?: string
}

/** Where the tools send their requests, and what they prove themselves with there. */
interface Access {
  readonly baseUrl: string
  readonly token: () => Promise<string>
}

const MEMBERS = ['baseUrl', 'clientId', 'clientSecret', 'resource'] as const
const TOKEN_VARIABLE = 'COUNTERSIGN_TOKEN'
const WRITE_PERMISSIONS: readonly string[] = AREAS.map((area) => `write:${area}`)

const parsed = (file: string, text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return { ...(value as object) }
  } catch {
    // the text holds a secret, which the parser's message would quote
    throw new ConfigurationError(`${file} is not JSON.`)
  }
}

const credentialsIn = async (file: string): Promise<Credentials> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError(file, 'read', error)
  })
  const found = parsed(file, text)
  for (const name of MEMBERS)
    if (typeof found[name] !== 'string') throw new ConfigurationError(`${file} has no ${name}, which is a string.`)
  return found as unknown as Credentials
}

/** The origin that a token may be sent to: over TLS, or within this computer. */
const originOf = (address: string): string => {
  const { protocol, hostname, origin, pathname, search } = URL.parse(address) ?? {}
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname ?? ''))
  if (origin === undefined || !isSafe || pathname !== '/' || search !== '')
    throw new ConfigurationError(`--base-url is ${address}, not the https address of a tenant without a path.`)
  return origin
}

/** An administrator's own token, which only the environment holds: arguments are seen by every process. */
const tokenOfEnvironment = (): string => {
  const token = process.env[TOKEN_VARIABLE]?.trim() ?? ''
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ConfigurationError(
      `${TOKEN_VARIABLE} has no access token for the Management API, which --base-url goes with.`,
    )
  return token
}

const accessOf = async ({ credentials: file, baseUrl, scope }: Options): Promise<Access> => {
  if (baseUrl !== undefined) {
    const token = tokenOfEnvironment()
    return { baseUrl: originOf(baseUrl), token: async () => token }
  }
  if (file === undefined)
    throw new ConfigurationError(`Either --credentials, or --base-url with ${TOKEN_VARIABLE}, is needed.`)
  const credentials = await credentialsIn(file)
  const { managementToken } = await import('@countersign/contract/client-token.ts')
  return { baseUrl: credentials.baseUrl, token: managementToken(credentials, scope) }
}

/** Permissions by which tools that change something are chosen: each by its name, none for all. */
const writesOf = (text: string | undefined): ReadonlySet<string> => {
  if (text === undefined) return new Set()
  const names = text.split(' ').filter((name) => name !== '')
  const unknown = names.find((name) => !WRITE_PERMISSIONS.includes(name))
  if (unknown !== undefined || names.length === 0)
    throw new ConfigurationError(
      `--allow-writes names ${unknown ?? 'nothing'}; it takes permissions among ${WRITE_PERMISSIONS.join(', ')}.`,
    )
  return new Set(names)
}

export const mcpCommand = (): Command =>
  new Command('mcp')
    .description(
      'Serve the Management API as MCP tools on standard input and output; they only read unless told otherwise.',
    )
    .option('--credentials <file>', 'JSON with baseUrl, clientId, clientSecret and resource')
    .addOption(
      new Option(
        '--base-url <url>',
        `the address of a tenant, with an access token in ${TOKEN_VARIABLE} in place of a file`,
      ).conflicts('credentials'),
    )
    .option('--scope <permissions>', 'the permissions to ask for with a file, separated by spaces', 'all')
    .option(
      '--allow-writes <permissions>',
      'also tools that change what these permissions are for, such as "write:roles"; none by default',
    )
    .action(async (options: Options) => {
      const writes = writesOf(options.allowWrites)
      const access = await accessOf(options)
      const { serveTools } = await import('../../mcp.ts')
      await serveTools({ ...access, writes })
    })
