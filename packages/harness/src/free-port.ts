/** Ports for servers of tests and of the bench. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** Below the ports that Linux gives to outgoing connections (`ip_local_port_range`). */
const [FIRST_PORT, LAST_PORT] = [11_000, 32_767]
/** More than a machine has workers, as a rule. */
const SHARES = 16
const PORTS = Math.floor((LAST_PORT + 1 - FIRST_PORT) / SHARES)
const given = new Set<number>()

/**
 * A port that was free a moment ago, and that no other process takes meanwhile: each worker of the tests has its own share of the ports,
 * and gives none of them twice before it has given half of them.
 */
export const freePort = async (): Promise<number> => {
  const share = Number(process.env.VITEST_POOL_ID ?? 0) % SHARES
  const port = FIRST_PORT + share * PORTS + randomInt(PORTS)
  if (given.size > PORTS / 2) given.clear()
  if (given.has(port)) return freePort()
  given.add(port)
  return (await isFree(port)) ? port : freePort()
}
