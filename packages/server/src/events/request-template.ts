/** Builds the request that carries a message: fills in its URL, headers and body, with the encoding that each requires. */
import type { RequestTemplate } from '../domain/delivery/providers/provider.ts'
import { fill, isOnlyPlaceholders, oneLine, type Values, verbatim } from './placeholders.ts'

export interface FilledRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A part of a body with its placeholders filled; undefined if it must be left out. */
const filledPart = (part: unknown, values: Values): unknown => {
  if (typeof part === 'string') {
    const text = fill(part, values, verbatim)
    return text === '' && isOnlyPlaceholders(part) ? undefined : text
  }
  if (!isObject(part)) return part
  const entries = Object.entries(part).map(([name, inner]) => [name, inner, filledPart(inner, values)] as const)
  const kept = entries.filter(([, , filled]) => filled !== undefined)
  const isBare = kept.every(([, inner, filled]) => inner === filled)
  // what remains has nothing of the message, such as `{ type: 'text/html' }` without its text
  if (kept.length < entries.length && isBare) return undefined
  return Array.isArray(part)
    ? kept.map(([, , filled]) => filled)
    : Object.fromEntries(kept.map(([name, , filled]) => [name, filled]))
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

const ENCODINGS: Readonly<Record<string, (value: string) => string>> = {
  [JSON_TYPE]: (value) => JSON.stringify(value).slice(1, -1),
  [FORM_TYPE]: encodeURIComponent,
}

const bodyOf = (body: NonNullable<RequestTemplate['body']>, contentType: string, values: Values): string => {
  if (typeof body === 'string') return fill(body, values, ENCODINGS[contentType] ?? verbatim)
  const filled = filledPart(body, values) ?? {}
  if (contentType !== FORM_TYPE) return JSON.stringify(filled)
  const pairs = Object.entries(filled).map(([name, value]) => [name, String(value)])
  return new URLSearchParams(pairs).toString()
}

/** Fills a template. An object as the body loses members that consist of placeholders without a value. */
export const filledRequest = (template: RequestTemplate, values: Values): FilledRequest => {
  const { origin, path = '', method = 'POST', contentType = JSON_TYPE, body, basic, headers = {} } = template
  const isBodiless = method === 'GET' || body === undefined
  const filledHeaders = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), oneLine(fill(value, values, verbatim))] as const)
    .filter(([, value]) => value !== '')
  const credentials = basic && fill(`${basic.user}:${basic.password}`, values, verbatim)
  return {
    url: fill(origin + path, values, encodeURIComponent),
    method,
    headers: {
      ...(isBodiless ? {} : { 'content-type': contentType }),
      ...(credentials === undefined
        ? {}
        : { authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` }),
      ...Object.fromEntries(filledHeaders),
    },
    body: isBodiless ? undefined : bodyOf(body, contentType, values),
  }
}
