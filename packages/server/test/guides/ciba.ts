/** The commands of the guide about asking users without a browser, with the answer of the user in between. */
import { freePort } from '@countersign/harness/free-port.ts'
import { expect } from 'vitest'
import { newBrowser } from '../sign-in/arrange.ts'
import { type Walk, withGuide } from './walk.ts'

export const ciba: Walk = async (place) => {
  const port = String(await freePort())
  const follow: Parameters<typeof withGuide>[2] = async ({ next }) => {
    await next()
    const [lifetime, link = ''] = (await next()).split('\n')
    expect(lifetime).toBe('600')
    expect(JSON.parse(await next())).toMatchObject({ error: 'authorization_pending' })

    const browser = newBrowser()
    const signIn = await browser.submit(await browser.open(link), {})
    const asked = await browser.submit(signIn, { identifier: 'rosa', password: 'a long enough phrase' })
    for (const text of ['Sign in to Call centre?', 'Caller 4711']) expect(asked.text).toContain(text)
    expect((await browser.submit(asked, { answer: 'allow' })).url.pathname).toBe('/backchannel/done')

    expect(JSON.parse(await next())).toMatchObject({ token_type: 'Bearer', scope: 'openid profile' })
    await next()
  }
  const listening = `PROVIDER=$!\nuntil curl -s -o /dev/null localhost:${port}; do sleep 0.1; done\n`
  await withGuide(place, 'ciba', follow, [
    ['2527', port],
    // wait until it listens: a person takes longer to type
    ['PROVIDER=$!\n', listening],
  ])
}
