/** The commands of the guide about sign-in, and the applications that it starts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Guide } from '@countersign/harness/guide.ts'
import { expect } from 'vitest'
import { Browser } from '../sign-in/browser.ts'
import { type Place, type Walk, withGuide } from './walk.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** The commands register three applications and a user, and the printed programs start with two of them. */
const follow = async (guide: Guide, place: Place) => {
  const { server, ports } = place
  expect(guide.blocks).toHaveLength(7)
  const programs = [...guide.text.matchAll(/^npx node (examples\/\S+) (.+)$/gm)]
  expect(programs).toHaveLength(2)
  const told = (await guide.all()).join('')
  expect(told).toContain('"username":"ada"')
  expect(told).toContain('"redirectUris":["https://pr-*.notes.example.com/callback"]')
  expect(told).toContain("subjectType: 'pairwise'")
  // printed by Node, from the object
  expect(told).toContain("createAccount: 'Join'")
  expect(told).toContain('"displayName":"Notes"')
  const [app = '', secret = '', spa = ''] = (await guide.type('echo "$APP $SECRET $SPA"')).trim().split(' ')
  expect([app, spa].every((id) => /^[0-9a-z]{21}$/.test(id))).toBe(true)

  const values: Record<string, string> = { APP: app, SECRET: secret, SPA: spa }
  for (const [index, [, file = '', given = '']] of programs.entries()) {
    const parameters = [...given.matchAll(/"\$(\w+)"/g)].map(([, name = '']) => values[name] ?? '')
    const child = spawn(process.execPath, [file, ...parameters], {
      cwd: root,
      env: { ...process.env, ISSUER: server.issuer, PORT: ports[index] },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    try {
      const [line] = await Promise.race([once(child.stdout, 'data'), ended])
      const [address = ''] = /http:\S+/.exec(String(line)) ?? []
      expect(address).toBe(`http://localhost:${ports[index]}`)
      expect(guide.text).toContain(`Open ${address}`)
      expect((await fetch(address)).status).toBe(200)
    } finally {
      child.kill()
      await ended
    }
  }

  // the user of the guide signs in to the first of them
  const url = new URL(`${server.issuer}/auth`)
  url.search = new URLSearchParams({
    client_id: app,
    redirect_uri: `http://localhost:${ports[0]}/callback`,
    response_type: 'code',
    scope: 'openid',
  }).toString()
  const browser = new Browser(`http://localhost:${ports[0]}/`)
  const back = await browser.submit(await browser.open(url), { identifier: 'ada', password: 'a long enough phrase' })
  expect(back.url.searchParams.get('code')).toMatch(/^cs_ac_/)
}

export const signIn: Walk = (place) => {
  const moved = ['4000', '4001'].map((port, index) => [`localhost:${port}`, `localhost:${place.ports[index]}`] as const)
  return withGuide(place, 'sign-in', (guide) => follow(guide, place), moved)
}
