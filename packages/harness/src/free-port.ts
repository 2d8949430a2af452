/** Ports for servers of tests and of the bench. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** Below the ports that Linux assigns to outgoing connections (`ip_local_port_range`). */
const [FIRST_PORT, LAST_PORT] = [11_000, 32_767]
/** More than the usual number of workers on a machine. */
const SHARES = 16
const PORTS = Math.floor((LAST_PORT + 1 - FIRST_PORT) / SHARES)
const given = new Set<number>()

/**
 * A port that was just found free and that no other worker takes: each worker of the tests has its own range of ports,
 * and returns none twice before it has returned half of them.
 */
export const freePort = async (): Promise<number> => {
  const share = Number(process.env.VITEST_POOL_ID ?? 0) % SHARES
  const port = FIRST_PORT + share * PORTS + randomInt(PORTS)
  if (given.size > PORTS / 2) given.clear()
  if (given.has(port)) return freePort()
  given.add(port)
  return (await isFree(port)) ? port : freePort()
}
