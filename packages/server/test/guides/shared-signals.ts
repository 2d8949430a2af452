/** The commands of the guide about Shared Signals, with the sign-in of the user in between. */
import { expect } from 'vitest'
import { newBrowser } from '../sign-in/arrange.ts'
import { type Walk, withGuide } from './walk.ts'

export const sharedSignals: Walk = (place) =>
  withGuide(place, 'shared-signals', async ({ next }) => {
    const { clock } = place.server
    clock.advance(Math.max(0, (Date.now() - clock.now().getTime()) / 1000))
    expect(await next()).toMatch(/\/oidc\/ssf\/streams\n$/)
    expect(await next()).toBe('enabled\n')
    const address = (await next()).trim()
    const browser = newBrowser('http://localhost:2528/')
    const { url } = await browser.submit(await browser.open(address), {
      ...{ identifier: 'signa', password: 'a long enough phrase' },
    })
    expect(url.href).toContain('http://localhost:2528/callback?code=')
    expect(await next()).toBe('session-revoked complex opaque\n')
    expect(JSON.parse(await next())).toEqual({ sets: {} })
  })
