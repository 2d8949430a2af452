/** Shared set-up of the tests of users. */
import type { ApiAnswer } from '@countersign/harness/management-client.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import type { BodyOf } from '../protocol/arrange.ts'

let count = 0
/** A username that is unique in this process. */
export const freshName = (): string => {
  count += 1
  return `user_${count}`
}

export const createUser = async ({ client }: TestServer, fields: BodyOf<'createUser'> = {}): Promise<string> =>
  (await client.createUser({ body: { username: freshName(), ...fields } })).id

/** The status and the code of a refusal. */
export const refusal = ({ status, body }: ApiAnswer): [number, string] => [status, body?.code]

/** The row as it is stored, with the hash that the API never shows. */
export const rowOf = ({ store }: TestServer, id: string) =>
  store.database.kysely.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const idsOf = ({ body }: ApiAnswer): string[] => body.map(({ id }: { id: string }) => id)
