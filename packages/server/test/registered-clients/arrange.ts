/** What the tests of client registration share: who may register, and requests as they are. */
import type { TestServer } from '@countersign/harness/server.ts'
import { expect } from 'vitest'
import { fresh, type Reply, send } from '../protocol/arrange.ts'

type Metadata = Readonly<Record<string, unknown>>

export const CALLBACK = 'https://app.example/callback'

/** Changes who may register. */
export const allow = async ({ api }: TestServer, settings: Metadata): Promise<void> => {
  const { status, body } = await api('PATCH', '/configs/client-registration', settings)
  expect(status, JSON.stringify(body)).toBe(200)
}

export const newToken = async ({ api }: TestServer, more: Metadata = {}): Promise<{ id: string; value: string }> => {
  const { status, body } = await api('POST', '/initial-access-tokens', { name: fresh('token'), ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** Registers as it is sent. @param token undefined: without one */
export const register = (server: TestServer, metadata: unknown, token?: string): Promise<Reply> =>
  send(`${server.issuer}/register`, {
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })

/** Reads, replaces or deletes a registration. */
export const manage = (
  method: 'GET' | 'PUT' | 'DELETE',
  { registration_client_uri: url }: { readonly registration_client_uri: string },
  token: string | undefined,
  metadata?: Metadata,
): Promise<Reply> =>
  send(url, {
    method,
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: metadata && JSON.stringify(metadata),
  })
