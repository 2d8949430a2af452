/** A server of the Model Context Protocol with two tools, each for those who have its permission. */
import { protectedResource } from '@countersign/guard'
import { accessTokenOf, expressGuard } from '@countersign/guard/express'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { type AuthInfo, createMcpHandler, fromJsonSchema, McpServer, requireScopes } from '@modelcontextprotocol/server'
import express, { type Express } from 'express'

export interface NotesOptions {
  readonly issuer: string
  /** The address of this server for its clients, which is its identifier at the issuer: `…/mcp`. */
  readonly audience: string
}

/** Kept in memory, by user. */
const notes = new Map<string, string[]>()

/** What the user of this request may use. A new one is made for every request. */
const toolsFor = (subject: string): McpServer => {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  const own = notes.get(subject) ?? []
  server.registerTool('list_notes', { description: 'Lists the notes of the user' }, () => ({
    content: [{ type: 'text', text: own.join('\n') || 'There are no notes.' }],
  }))
  server.registerTool(
    'add_note',
    {
      description: 'Writes a note',
      inputSchema: fromJsonSchema<{ text: string }>({
        type: 'object',
        properties: { text: { type: 'string', maxLength: 1000 } },
        required: ['text'],
      }),
      // a client without it is told what to ask its user for
      scopeChallenge: requireScopes('notes:read', 'notes:write'),
    },
    ({ text }) => {
      notes.set(subject, [...own, text])
      return { content: [{ type: 'text', text: 'Written.' }] }
    },
  )
  return server
}

/** The server as an Express application; it answers at `/mcp`. */
export const notesServer = ({ issuer, audience }: NotesOptions): Express => {
  const guard = expressGuard({ issuer, audience, protectedResource: { scopes: ['notes:read'], name: 'Notes' } })
  const handler = createMcpHandler(({ authInfo }) => toolsFor(String(authInfo?.extra?.subject)))
  const answer = toNodeHandler(handler)

  const app = express()
  app.use(guard.metadata())
  app.use('/mcp', guard('notes:read'), (request, response) => {
    const { token, clientId, scopes, subject } = accessTokenOf(request)
    const { url: resourceMetadataUrl } = protectedResource({ issuer, audience })
    const auth: AuthInfo = { token, clientId, scopes: [...scopes], resourceMetadataUrl, extra: { subject } }
    return answer(Object.assign(request, { auth }), response)
  })
  return app
}
