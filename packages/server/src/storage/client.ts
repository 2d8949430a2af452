/** Single connections to PostgreSQL, besides the pool: for migrations, notices and creating databases. */
import pg from 'pg'

/**
 * Connects. A lost connection fails the current statement or the next one. Without the listener set here, losing an
 * idle connection would end the process. @param arrange makes settings before the connection is opened
 */
export const connectClient = async (
  config: string | pg.ClientConfig,
  arrange: (client: pg.Client) => void = () => undefined,
): Promise<pg.Client> => {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  arrange(client)
  await client.connect()
  return client
}

/** Connects for as long as the work takes. Throws what the work throws. */
export const withClient = async <T>(
  config: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = await connectClient(config)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
