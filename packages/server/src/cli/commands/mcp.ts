/** `countersign mcp`: the Management API as read-only tools of the Model Context Protocol, on standard input and output. */
import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { ConfigurationError } from '../../kernel/configuration.ts'
import { fileError } from '../file-error.ts'

interface Credentials {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly resource: string
}

const MEMBERS = ['baseUrl', 'clientId', 'clientSecret', 'resource'] as const

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

export const mcpCommand = (): Command =>
  new Command('mcp')
    .description('Serve the Management API as read-only MCP tools on standard input and output.')
    .requiredOption('--credentials <file>', 'JSON with baseUrl, clientId, clientSecret and resource')
    .option('--scope <permissions>', 'the permissions to ask for, separated by spaces', 'all')
    .action(async ({ credentials: file, scope }: { readonly credentials: string; readonly scope: string }) => {
      const credentials = await credentialsIn(file)
      const { managementToken } = await import('@countersign/contract/client-token.ts')
      const { serveTools } = await import('../../mcp.ts')
      await serveTools(credentials.baseUrl, managementToken(credentials, scope))
    })
