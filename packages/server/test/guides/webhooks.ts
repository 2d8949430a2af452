/** The commands and the receiver of the guide about webhooks. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@countersign/harness/free-port.ts'
import { expect } from 'vitest'
import { type Walk, withGuide } from './walk.ts'

export const webhooks: Walk = async (place) => {
  const port = String(await freePort())
  // wait until the receiver listens: a person takes longer to type
  const listening = `until curl -s -o /dev/null localhost:${port}; do sleep 0.1; done\n`
  const stored = 'until api GET /hooks/$ID/recent-logs | grep -q TriggerHook; do sleep 0.1; done\n'
  const replaced = [
    ['3300', port],
    ['> data/received.log &\n', `> data/received.log &\n${listening}`],
    // the result of an attempt is stored after its response: a person takes longer to type
    ['api GET /hooks/$ID/deliveries\n', `${stored}api GET /hooks/$ID/deliveries\n`],
  ] as const
  const follow: Parameters<typeof withGuide>[2] = async (guide) => {
    const [, receiver = ''] = /```js\n([\s\S]*?)```/.exec(guide.text) ?? []
    await writeFile(join(place.directory, 'data/receiver.mjs'), receiver)
    const printed = await guide.all()
    expect(printed).toHaveLength(4)
    const received = (printed[2] ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(received.map(({ event }) => event)).toEqual(['User.Created', 'Role.Created'])
    expect(received[1]).toMatchObject({ data: { name: 'Heard of' }, sequence: expect.any(Number) })
    const [deliveries = '', logs = ''] = (printed[3] ?? '').trim().split(/(?<=\])\s*(?=\[)/)
    expect(JSON.parse(deliveries)).toEqual([expect.objectContaining({ id: received[1].id, attempts: 1 })])
    expect(JSON.parse(logs).map(({ key }: { key: string }) => key)).toEqual(['TriggerHook.Role.Created'])
  }
  await withGuide(place, 'webhooks', follow, replaced)
}
