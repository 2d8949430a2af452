/** The commands of the guide, run as they are printed, with people in between. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newBrowser } from '../sign-in/arrange.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

let server: TestServer
let directory: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  directory = await mkdtemp(join(tmpdir(), 'countersign-guide-'))
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data/management.json'), JSON.stringify(server.credentials))
  // what `npm install` puts into the root of the repository
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

/** One shell for the whole page, as a person has it. */
const openShell = () => {
  const shell = spawn('bash', ['-e'], {
    cwd: directory,
    // the Node that runs the tests
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['pipe', 'pipe', 'inherit'],
    // with all that it starts it is a group of its own, which ends with it
    detached: true,
  })
  const END = '== end of the block\n'
  let printed = ''
  let settle: { resolve(printed: string): void; reject(error: Error): void } | undefined
  shell.stdout.on('data', (chunk) => {
    printed += chunk
    if (printed.endsWith(END)) settle?.resolve(printed.slice(0, -END.length))
  })
  shell.on('exit', () => settle?.reject(new Error(`a command failed; before it: ${printed}`)))
  return {
    /** Resolves with what the block printed; rejects when a command of it fails. */
    type: (block: string): Promise<string> =>
      new Promise((resolve, reject) => {
        printed = ''
        settle = { resolve, reject }
        shell.stdin.write(`${block}\necho '${END.trim()}'\n`)
      }),
    close: () => process.kill(-(shell.pid ?? 0), 'SIGKILL'),
  }
}

const PASSWORD = 'a long enough phrase'
/** Opens what the shell printed in a browser of its own, and confirms the code that is in the address. */
const openPrinted = async (printed: string) => {
  const address = new URL(/Open (http\S+)/.exec(printed)?.[1] ?? '')
  const browser = newBrowser()
  const entry = await browser.open(address)
  return { browser, page: await browser.submit(entry, { user_code: address.searchParams.get('user_code') ?? '' }) }
}
/** The scopes of the tokens whose claims were printed. */
const printedScopes = (printed: string) => [...printed.matchAll(/scope: '([^']*)'/g)].map(([, scope]) => scope)

test('roles and organizations, step by step', async () => {
  const guide = await readFile(join(root, 'docs/guides/roles-and-organizations.md'), 'utf8')
  const port = String(await freePort())
  const asPrinted = (text: string) => text.replaceAll('http://localhost:3001', server.baseUrl).replaceAll('2525', port)
  // a mail that comes before the mail server listens is sent again later, but the clock of this server stands still
  const listening = `until (: < /dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.1; done\n`
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
    asPrinted(block).replace('> mail.log &\n', `> mail.log &\n${listening}`),
  )
  expect(blocks).toHaveLength(11)
  const shell = openShell()
  const next = () => shell.type(blocks.shift() ?? '')
  try {
    expect(await next()).toMatch(/"name":"Customer".*"name":"Customer"/s)
    await next()
    const ada = await openPrinted(await next())
    const confirmation = await ada.browser.submit(ada.page, { identifier: 'ada_team', password: PASSWORD })
    expect(confirmation.text).toContain('Connect Order desk?')
    await ada.browser.submit(confirmation, { answer: 'allow' })
    expect(printedScopes(await next())).toEqual(['read:orders'])
    const inAcme = await next()
    expect(printedScopes(inAcme)).toEqual(['read:orders approve:orders', 'invite:member'])
    expect(inAcme).toMatch(/aud: 'https:\/\/orders\.example\/team'.*aud: 'urn:logto:organization:[0-9a-z]{12}'/s)
    expect(printedScopes(await next())).toEqual(['approve:orders'])

    const mailed = await next()
    expect(mailed).toContain('To: grace@example.com')
    expect(mailed).toContain(`${server.baseUrl}/join`)
    expect(await next()).toContain('"status":"Accepted"')

    const linus = await openPrinted(await next())
    const [, link = ''] = /id="register" href="([^"]+)"/.exec(linus.page.text) ?? []
    const form = await linus.browser.open(new URL(link, server.baseUrl))
    const sent = await linus.browser.submit(form, { identifier: 'linus@acme.example', password: PASSWORD })
    const [, code = ''] =
      /code to register: (\d{6})/.exec(
        await shell.type("until grep 'code to register' mail.log; do sleep 0.1; done"),
      ) ?? []
    expect((await linus.browser.submit(sent, { code })).text).toContain('Connect Order desk?')
    const members: { name: string | null; primaryEmail: string; organizationRoles: object[] }[] = JSON.parse(
      await next(),
    )
    const joined = members.map(({ name, primaryEmail }) => name ?? primaryEmail)
    expect(joined.sort()).toEqual(['Ada', 'grace@example.com', 'linus@acme.example'])
    for (const { organizationRoles } of members) expect(organizationRoles).toMatchObject([{ name: 'Buyer' }])

    const left = await next()
    expect(left).toMatch(/error: 'access_denied'.*aud: 'https:\/\/orders\.example\/team'/s)
    expect(printedScopes(left)).toEqual(['read:orders'])
    expect(blocks).toEqual([])
  } finally {
    shell.close()
  }
}, 90_000)
