/** Runs the example against a server started with `npm start` in the root of the repository. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ClientCredentials } from '@countersign/contract/client-token.ts'
import { withNotes } from './notes-client.ts'
import { notesServer } from './notes-server.ts'
import { setUp } from './setup.ts'

const PORT = 4100

const [document] = process.argv.slice(2)
const file = new URL('../../data/management.json', import.meta.url)
const credentials: ClientCredentials = JSON.parse(readFileSync(file, 'utf8'))
const audience = `http://localhost:${PORT}/mcp`
await setUp(credentials, audience)
const listener = notesServer({ issuer: `${credentials.baseUrl}/oidc`, audience }).listen(PORT)
await once(listener, 'listening')

const open = (address: URL) => console.log(`Open this address in a browser, and sign in or register:\n${address}\n`)
const options = { server: audience, open, ...(document === undefined ? {} : { document }) }
await withNotes(options, async (client) => {
  // one that registers may ask only for what it registered for
  if (document !== undefined) await client.callTool({ name: 'add_note', arguments: { text: 'Buy apples' } })
  const { content } = await client.callTool({ name: 'list_notes' })
  console.log('The tool answered:', content)
})
listener.close()
