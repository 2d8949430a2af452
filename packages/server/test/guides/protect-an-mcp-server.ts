/** The commands of the guide about servers of the Model Context Protocol. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const protectAnMcpServer: Walk = (place) => {
  const [port] = place.ports
  return withGuide(
    place,
    'protect-an-mcp-server',
    async (guide) => {
      const [registered, , refused, allowed, closed] = await guide.all()
      expect(registered).toBe('')
      const [challenge, document] = refused?.trim().split(/\r?\n/) ?? []
      expect(challenge?.trim()).toMatch(
        /^www-authenticate: Bearer scope="tools:read", resource_metadata="http:\/\/localhost:\d+\/\.well-known\/oauth-protected-resource\/mcp"$/i,
      )
      expect(JSON.parse(document ?? '')).toMatchObject({
        resource: `http://localhost:${port}/mcp`,
        authorization_servers: [place.server.issuer],
      })
      expect(allowed?.trim().split('\n')).toEqual(['true', 'true'])
      expect(closed?.trim()).toBe('false')
    },
    [
      ['localhost:4100', `localhost:${port}`],
      ['listen(4100)', `listen(${port})`],
    ],
  )
}
