/**
 * A client of the Model Context Protocol that knows nothing but the address of a server, and signs its user in by itself: it finds the
 * authorization server, identifies itself by its document if that server takes documents, registers otherwise, and waits on loopback for the answer.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Client,
  Client as McpClient,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

/** A listener for one answer of the authorization server. */
const openLoopback = async () => {
  let arrived: (address: URL) => void
  const answer = new Promise<URL>((resolve) => {
    arrived = resolve
  })
  const listener = createServer((request, response) => {
    response.end('You can close this window.')
    arrived(new URL(request.url ?? '/', 'http://127.0.0.1'))
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  return {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    answer,
    close: () => {
      listener.closeAllConnections()
      listener.close()
    },
  }
}

/** What the client says of itself, in its document or when it registers. */
export const clientMetadata = (redirectUrl: string): OAuthClientMetadata => ({
  client_name: 'Notes on the command line',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

export interface NotesClientOptions {
  /** The address of the server. */
  readonly server: string
  /** The address of the client's document; without one it registers. */
  readonly document?: string
  /** Where the user signs in: opens it in a browser, or prints it. */
  readonly open: (address: URL) => void | Promise<void>
}

interface Memory {
  state: string
  /** Whether the user was sent to sign in since the last answer. */
  isAsked: boolean
  information?: OAuthClientInformationMixed
  tokens?: OAuthTokens
  verifier?: string
  discovered?: OAuthDiscoveryState
}

/** Keeps in memory what a client of one server has to remember. */
const provider = (
  redirectUrl: string,
  { document, open }: NotesClientOptions,
  memory: Memory,
): OAuthClientProvider => ({
  redirectUrl,
  clientMetadata: clientMetadata(redirectUrl),
  ...(document === undefined ? {} : { clientMetadataUrl: document }),
  state: () => memory.state,
  clientInformation: () => memory.information,
  saveClientInformation(information) {
    memory.information = information
  },
  tokens: () => memory.tokens,
  saveTokens(tokens) {
    memory.tokens = tokens
  },
  codeVerifier: () => memory.verifier ?? '',
  saveCodeVerifier(verifier) {
    memory.verifier = verifier
  },
  discoveryState: () => memory.discovered,
  saveDiscoveryState(discovered) {
    memory.discovered = discovered
  },
  redirectToAuthorization(address) {
    memory.isAsked = true
    return open(address)
  },
})

/**
 * Runs something with a connected client, and signs the user in whenever the server asks for it: at first, and again when a tool needs a
 * permission that the token lacks.
 */
export const withNotes = async <Result>(
  options: NotesClientOptions,
  use: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const memory: Memory = { state: crypto.randomUUID(), isAsked: false }
  for (let attempts = 3; ; attempts -= 1) {
    const loopback = await openLoopback()
    const authProvider = provider(loopback.redirectUrl, options, memory)
    const transport = new StreamableHTTPClientTransport(new URL(options.server), { authProvider })
    const client = new McpClient({ name: 'notes-on-the-command-line', version: '1.0.0' })
    try {
      await client.connect(transport)
      return await use(client)
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || !memory.isAsked || attempts === 0) throw error
      memory.isAsked = false
      const { searchParams } = await loopback.answer
      if (searchParams.get('state') !== memory.state) throw new Error('the answer is not for this sign-in')
      // checks `iss` before it reads anything else (RFC 9207)
      await transport.finishAuth(searchParams)
    } finally {
      await client.close()
      loopback.close()
    }
  }
}
