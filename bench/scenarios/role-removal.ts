/**
 * How soon a role removed from an application is missing in its next token: on the node that made the change, and on
 * another.
 */
import { atMost, type Section, spread } from '../figures.ts'
import { requestToken } from '../management.ts'
import { ASKED, type World } from '../world.ts'

const LONGEST_MS = 5000

/** Asks a node until it issues a token with the permissions, so that it has cached that the role is held. */
const waitForRole = async (world: World, port: number): Promise<void> => {
  const since = performance.now()
  while (performance.now() - since < LONGEST_MS) {
    const { scope } = await requestToken(`http://localhost:${port}`, world.application, ASKED)
    if (scope === ASKED.scope) return
  }
  throw new Error('A role that was given does not show')
}

/**
 * Asks a node until a token lacks the permissions: returns after how many milliseconds, and how many tokens had them.
 */
const lostAfter = async (world: World, port: number, since: number): Promise<{ ms: number; stale: number }> => {
  for (let stale = 0; performance.now() - since < LONGEST_MS; stale += 1) {
    const { scope } = await requestToken(`http://localhost:${port}`, world.application, ASKED)
    if (scope === '') return { ms: performance.now() - since, stale }
  }
  throw new Error('A role that was taken away still shows')
}

export const roleRemoval = async (world: World): Promise<Section> => {
  const { api, application, roleId, installation, server, quick } = world
  const second = await installation.startSecondNode()
  const here: number[] = []
  const there: number[] = []
  let stale = 0
  const { clientId: applicationId } = application
  try {
    for (let time = 0; time < (quick ? 5 : 20); time += 1) {
      for (const { port } of [server, second]) await waitForRole(world, port)
      await api.removeApplicationRole({ params: { applicationId, roleId } })
      const removedAt = performance.now()
      const [first, other] = await Promise.all([
        lostAfter(world, server.port, removedAt),
        lostAfter(world, second.port, removedAt),
      ])
      here.push(first.ms)
      there.push(other.ms)
      stale += first.stale
      await api.addApplicationRoles({ params: { applicationId }, body: { roleIds: [roleId] } })
    }
  } finally {
    await second.stop()
  }
  const latest = (values: readonly number[]) => Math.max(...values)
  return {
    title: 'A role removed from an application: from the response of the Management API to a token without it',
    figures: [
      atMost('tokens that still had it, the same node', stale, String(stale), 0, ''),
      atMost('the same node', latest(here), `${spread(here, 1)} ms`, 100, ' ms'),
      atMost('a second node', latest(there), `${spread(there, 1)} ms`, 100, ' ms'),
    ],
  }
}
