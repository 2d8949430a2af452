/** A provider of text messages for tests: takes everything, and shows what it got. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { TestServer } from '@countersign/harness/server.ts'
import { expect } from 'vitest'
import { connectMailServer } from './mail.ts'

interface ReceivedText {
  readonly to: string
  readonly text: string
  readonly code: string
}

/** A provider, to which the default tenant sends. */
const connectTextServer = async ({ client }: TestServer) => {
  const texts: ReceivedText[] = []
  const http = createServer((request, response) => {
    void json(request).then((body) => {
      texts.push(body as ReceivedText)
      response.end()
    })
  })
  http.listen(0, '127.0.0.1').unref()
  await once(http, 'listening')
  const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  const body = { to: '{{to}}', text: '{{text}}', code: '{{code}}' }
  await client.createConnector({ body: { connectorId: 'http-sms', config: { endpoint, body } } })
  const close = async () => {
    http.closeAllConnections()
    http.close()
  }
  return { texts, close }
}

/** Both kinds of messages, of the default tenant. */
export const connectMessages = async (server: TestServer) => {
  const [mail, text] = [await connectMailServer(server), await connectTextServer(server)]
  const codesTo = (recipient: string): string[] =>
    recipient.includes('@')
      ? mail.mails
          .filter(({ recipients }) => recipients.includes(recipient))
          .map((each) => /\b\d{6}\b/.exec(each.text ?? '')?.[0] ?? '')
      : text.texts.filter(({ to }) => to.replace(/\D/g, '') === recipient).map(({ code }) => code)
  return {
    mails: mail.mails,
    texts: text.texts,
    codesTo,
    /** The newest of so many codes to an address, or to a number: its digits. */
    codeTo: async (recipient: string, count = 1): Promise<string> => {
      await expect.poll(() => codesTo(recipient).length, { timeout: 60_000, interval: 10 }).toBe(count)
      return codesTo(recipient).at(-1) ?? ''
    },
    close: async () => {
      await mail.close()
      await text.close()
    },
  }
}
export type Messages = Awaited<ReturnType<typeof connectMessages>>
