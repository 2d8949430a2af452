import { createHash } from 'node:crypto'
import { ACCOUNT_ROUTES, API_ROUTES } from '@countersign/contract/api.ts'
import { EVENT_TYPES } from '@countersign/contract/events.ts'
import { routeErrors } from '@countersign/contract/openapi.ts'
import { MANAGEMENT_PERMISSIONS } from '@countersign/contract/permissions.ts'
import { permissionsOf, type Route } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { exampleOf } from '@countersign/server/api-reference/example.ts'
import { overviewPage, sectionPage } from '@countersign/server/api-reference/page.ts'
import type { Schema } from '@countersign/server/api-reference/schema-words.ts'
import { sectionIdOf } from '@countersign/server/api-reference/sections.ts'
import { tenantAt } from '@countersign/server/kernel/tenant.ts'
import Type from 'typebox'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  address = `${server.baseUrl}/api/docs`
})
afterAll(() => server?.close())

const ROUTES = [...API_ROUTES, ...ACCOUNT_ROUTES]
const pages = () => ['/api/docs', ...new Set(ROUTES.map((each) => `/api/docs/${sectionIdOf(each)}`))]
/** The page that describes an operation. */
const pageOf = async (each: Route) =>
  (await (await fetch(`${server.baseUrl}/api/docs/${sectionIdOf(each)}`)).text()).replace(/<\/?(wbr|var)>/g, '')

describe('the pages of the API reference', () => {
  test.each(pages())('%s is one answer that loads nothing and runs nothing', async (path) => {
    const answer = await fetch(`${server.baseUrl}${path}`)
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
    )
    expect(page).not.toMatch(/<script|<iframe|<form|\ssrc=|\sstyle=|\son\w+=|url\(|@import/i)
  })

  test('has every permission and every type of event', async () => {
    const text = (await (await fetch(address)).text()).replaceAll('<wbr>', '')
    for (const { name } of MANAGEMENT_PERMISSIONS) expect(text).toContain(`<code>${name}</code>`)
    for (const type of EVENT_TYPES) expect(text).toContain(`<code>${type}</code>`)
  })

  test.each(ROUTES.map((each) => [each.id, each] as const))('describes %s', async (_id, each: Route) => {
    const page = await pageOf(each)
    const facts = page.split('<details class="operation">').find((part) => part.includes(` id="${each.id}"`)) ?? ''
    expect(facts).toContain(`>${each.method}</b> <code>/api${each.path.replace(/:(\w+)/g, '{$1}')}</code>`)
    const permissions = permissionsOf(each).map((permission) => `<code>${permission}</code>`)
    const needed = `${permissions.join(' and ')}${permissions.length > 1 ? ',' : ''} or <code>all</code>`
    const scopes = ['openid', ...(each.scopes ?? [])].map((scope) => `<code>${scope}</code>`).join(', ')
    const ofUser = `of the user’s token: ${scopes}</p>`
    const withoutPermission = each.scopes ? ofUser : 'no token'
    expect(facts).toContain(permissions.length > 0 ? needed : withoutPermission)
    expect(facts.includes('<code>logto-verification-id</code>, the verification')).toBe(each.proof === true)
    expect(facts).toContain(`Response <span class="status">${each.status}</span>`)
    for (const code of routeErrors(each)) expect(facts).toContain(`<code>${code}</code>`)
    for (const schema of [each.params, each.query, each.body])
      for (const name of Object.keys((schema as Schema | undefined)?.properties ?? {}))
        expect(facts).toContain(`<code>${name}</code>`)
    if (each.list) for (const name of ['page_size', 'after', 'Next-Cursor', 'Link']) expect(facts).toContain(name)
    if (each.body) expect(Value.Check(each.body, exampleOf(each.body as Schema))).toBe(true)
  })

  test('an unknown page is 404, and no link is broken', async () => {
    expect((await fetch(`${address}/nothing`)).status).toBe(404)
    const texts = new Map<string, string>()
    for (const path of pages()) texts.set(path, await (await fetch(`${server.baseUrl}${path}`)).text())
    for (const [from, text] of texts) {
      for (const [, href = ''] of text.matchAll(/href="((?:\/api\/docs)?[^":]*)"/g)) {
        const [path = '', fragment] = href.split('#')
        const target = texts.get(path || from)
        expect(target, `${from} links to ${href}`).toBeDefined()
        if (fragment) expect(target).toContain(` id="${decodeURIComponent(fragment)}"`)
      }
    }
  })

  test('escapes the texts of the contract', () => {
    const evil = `</style></pre><script>alert('1')</script>"'&`
    const hostile: Route = {
      id: evil,
      method: 'POST',
      path: `/${evil}/:id`,
      summary: evil,
      description: `${evil} \`${evil}\``,
      permission: 'read:logs',
      params: Type.Object({ id: Type.String({ examples: [evil], pattern: evil }) }),
      body: Type.Object({ [evil]: Type.String({ description: evil, enum: [evil], default: evil }) }),
      status: 200,
      response: Type.Object({ [evil]: Type.Literal(evil) }),
    }
    const tenant = tenantAt('default', evil, 'http://localhost:3001')
    const page = overviewPage([hostile], tenant, evil) + sectionPage([hostile], tenant, evil, sectionIdOf(hostile))
    const allowed = page.replaceAll(/<style>[\s\S]*?<\/style>/g, '')
    expect(allowed).not.toMatch(/<script|<\/style/)
    expect(allowed.match(/<\/pre>/g)).toHaveLength(allowed.match(/<pre /g)?.length ?? 0)
    expect(allowed).not.toMatch(/(id|href|aria-labelledby)="[^"]*'/)
  })
})
