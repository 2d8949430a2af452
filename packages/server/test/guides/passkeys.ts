/** The commands of the guide about passkeys, as far as they need no authenticator. */
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const passkeys: Walk = (place) =>
  withGuide(place, 'passkeys', async (guide) => {
    const [settings, options, origins, off] = await guide.all()
    expect(settings).toContain('enabled: true')
    expect(options).toBe('required\n')
    expect(origins).toBe(
      "[ 'https://account.example.com' ]\n" +
        `${JSON.stringify({ origins: [place.server.baseUrl, 'https://account.example.com'] })}[]\n`,
    )
    expect(off).toBe('false\n')
  })
