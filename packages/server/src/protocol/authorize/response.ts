/** The authorization response: query and form_post, always with `iss` (RFC 9207), always 303 (RFC 9700 section 4.12). */
import { hash } from 'node:crypto'
import { html } from '@remix-run/html-template'
import type { AuthorizationRequest } from '../../domain/interactions.ts'
import type { Answer } from '../../http/exchange.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { NO_STORE } from '../endpoint.ts'
import type { AuthorizationError } from './authorization-error.ts'

const SCRIPT = 'document.forms[0].submit()'
const SCRIPT_HASH = hash('sha256', SCRIPT, 'base64')

/** A page that posts the parameters; without JavaScript there is a button (OAuth 2.0 Form Post Response Mode). */
const formPost = (redirectUri: string, parameters: readonly (readonly [string, string])[]): Answer => {
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Continue</title></head>
<body>
<form method="post" action="${redirectUri}">
${parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button id="continue" type="submit">Continue</button>
</form>
<script>${html.raw`${SCRIPT}`}</script>
</body>
</html>`
  return {
    status: 200,
    headers: {
      ...NO_STORE,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
    },
    body: String(page),
  }
}

/** Query parameters are added to those that the registered URI has already (RFC 6749 section 3.1.2). */
const redirect = (redirectUri: string, parameters: readonly (readonly [string, string])[]): Answer => {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString()
  const separator = redirectUri.includes('?') ? '&' : '?'
  return {
    status: 303,
    headers: { ...NO_STORE, location: `${redirectUri}${separator}${query}`, 'referrer-policy': 'no-referrer' },
  }
}

type Destination = Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'>

const respond = (
  { issuer }: Tenant,
  { redirectUri, responseMode, state }: Destination,
  own: readonly (readonly [string, string])[],
): Answer => {
  const parameters = [...own, ...(state === undefined ? [] : [['state', state] as const]), ['iss', issuer] as const]
  return responseMode === 'form_post' ? formPost(redirectUri, parameters) : redirect(redirectUri, parameters)
}

export const codeResponse = (tenant: Tenant, destination: Destination, code: string): Answer =>
  respond(tenant, destination, [['code', code]])

export const errorResponse = (
  tenant: Tenant,
  destination: Destination,
  { code, description }: AuthorizationError,
): Answer =>
  respond(tenant, destination, [
    ['error', code],
    ['error_description', description],
  ])
