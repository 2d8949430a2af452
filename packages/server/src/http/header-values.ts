/** Every value of a header as it was sent: Node joins or drops those of one that came more than once. */
import type { IncomingMessage } from 'node:http'

/** @param name in lower case */
export const headerValues = ({ rawHeaders }: IncomingMessage, name: string): string[] => {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? '')
  }
  return values
}
