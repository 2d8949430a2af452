/** The commands of the guide about client certificates. */
import { join } from 'node:path'
import { freePort } from '@countersign/harness/free-port.ts'
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const mtls: Walk = async (place) => {
  const port = String(await freePort())
  await withGuide(
    place,
    'mtls',
    async (guide) => {
      expect(await guide.next()).toContain('CN=worker-1,O=Example,C=DE')
      // the certificates are of now, and the clock of the server stands still
      const { clock } = place.server
      clock.advance(Math.max(1, (Date.now() - clock.now().getTime()) / 1000 + 1))
      const file = (name: string) => join(place.directory, 'data/mtls', name)
      const files = { MTLS_CERT_FILE: file('server.pem'), MTLS_KEY_FILE: file('server.key') }
      const node = await place.server.startNode({ MTLS_PORT: port, ...files })
      try {
        expect(await guide.next()).toMatch(/tls_client_auth\n/)
        const printed = await guide.next()
        expect(printed).toContain('"cnf":{"x5t#S256":')
        expect(printed).toContain('invalid_client')
      } finally {
        await node.close()
      }
    },
    [['https://localhost:8443', `https://localhost:${port}`]],
  )
}
