/** Serves the files of the application, and its two settings. Nothing secret passes through here. */
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'

export interface Settings {
  readonly issuer: string
  readonly clientId: string
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Path → file and content type. The callback is the same page: its script reads the address. */
const FILES: Readonly<Record<string, readonly [string, string]>> = {
  '/': [here('index.html'), 'text/html; charset=utf-8'],
  '/callback': [here('index.html'), 'text/html; charset=utf-8'],
  '/app.js': [here('app.js'), 'text/javascript'],
  '/oauth4webapi.js': [fileURLToPath(import.meta.resolve('oauth4webapi')), 'text/javascript'],
}

/** What the page may load and call: itself, and the authorization server. */
const policyFor = (issuer: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self' ${new URL(issuer).origin}; base-uri 'none'; frame-ancestors 'none'`

export const createStaticServer = ({ issuer, clientId }: Settings): Server =>
  createServer((request, response) => {
    const [pathname = '/'] = (request.url ?? '/').split('?')
    response.setHeader('content-security-policy', policyFor(issuer))
    response.setHeader('referrer-policy', 'no-referrer')
    if (pathname === '/settings.json') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ issuer, clientId }))
      return
    }
    const [file, type] = FILES[pathname] ?? []
    if (!file) {
      response.writeHead(404).end()
      return
    }
    readFile(file).then(
      (content) => response.writeHead(200, { 'content-type': type }).end(content),
      () => response.writeHead(500).end(),
    )
  })
