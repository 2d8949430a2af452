/** Single connections to PostgreSQL, beside the pool: for migrations, notices and the setting up of databases. */
import pg from 'pg'

/**
 * Connects. A connection that is lost fails the statement that is under way or the next one. Without the listener that is
 * set here, one that is lost while nothing is asked of it would end the process.
 * @param arrange sets what must be there before the connection is
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
