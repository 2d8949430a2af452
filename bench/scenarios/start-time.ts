/**
 * How long a start takes, from the process to the line that reports readiness: on an empty and on an existing data
 * directory.
 */
import { atMost, type Section } from '../figures.ts'
import type { Installation } from '../installation.ts'

export const startTime = async (installation: Installation): Promise<Section> => {
  const first = await installation.startServer()
  await first.stop()
  const second = await installation.startServer()
  await second.stop()
  const seconds = ({ startTime }: { startTime: number }) => startTime / 1000
  return {
    title: 'Start, with the embedded database',
    figures: [
      { name: 'first start, which makes the database', value: `${seconds(first).toFixed(2)} s` },
      atMost('second start', seconds(second), `${seconds(second).toFixed(2)} s`, 3, ' s'),
    ],
  }
}
