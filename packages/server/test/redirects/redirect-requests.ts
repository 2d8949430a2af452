/** Requests that name a redirect target, and the page that refuses it. */
import type { TestServer } from '@countersign/harness/server.ts'
import { expect } from 'vitest'
import { send } from '../protocol/arrange.ts'

export const requestFor = (clientId: string, uri: string): [string, string][] => [
  ['client_id', clientId],
  ['response_type', 'code'],
  ['redirect_uri', uri],
  ['scope', 'openid'],
  ['state', 'x'],
  ['code_challenge', 'a'.repeat(43)],
  ['code_challenge_method', 'S256'],
]

export const query = (parameters: readonly (readonly [string, string])[]) =>
  new URLSearchParams(parameters.map(([...pair]) => pair)).toString()

/** GET, or POST of a form, below `/oidc`, as the browser of a session. */
export const ask = ({ issuer }: TestServer, session: string, path: string, body?: string) => {
  const cookie = `countersign-session=${session}`
  return body === undefined
    ? send(`${issuer}${path}`, { method: 'GET', headers: { cookie } })
    : send(`${issuer}${path}`, { headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' }, body })
}

/** A page that says so, without a redirect. */
export const expectPage = ({ status, headers, text }: Awaited<ReturnType<typeof ask>>): void => {
  expect(status).toBe(400)
  expect(headers).not.toHaveProperty('location')
  expect(headers).not.toHaveProperty('refresh')
  expect(text).toContain('id="explanation"')
  // the requested address is shown to developers, as text, and appears nowhere else
  const rest = text.replace(/<code id="refused-(address|client)">[^<]*<\/code>/g, '')
  expect(rest).not.toMatch(/<form|<iframe|http-equiv|evil\.example/)
}
