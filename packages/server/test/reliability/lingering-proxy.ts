/**
 * A proxy between a node and PostgreSQL that hides a closed connection from the node until the node sends something
 * on it, as happens when the end of a connection arrives a moment after the error that announces it.
 */
import { connect, createServer, type Socket } from 'node:net'
import type { ClusterAddress } from '@countersign/harness/cluster.ts'

export const lingeringProxy = async (
  cluster: ClusterAddress,
): Promise<{ readonly address: ClusterAddress; close(): Promise<void> }> => {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = cluster.host.startsWith('/')
      ? connect(`${cluster.host}/.s.PGSQL.${cluster.port}`)
      : connect(cluster.port, cluster.host)
    let isOver = false
    far.on('data', (bytes) => near.write(bytes))
    far.on('close', () => {
      isOver = true
    })
    near.on('data', (bytes) => (isOver ? near.destroy() : far.write(bytes)))
    near.on('close', () => far.destroy())
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    address: { ...cluster, host: '127.0.0.1', port: address.port },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
