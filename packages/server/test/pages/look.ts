/** Sign-in settings of the tests of pages, regardless of the previous ones. */
import type { TestServer } from '@countersign/harness/server.ts'
import { EXPERIENCE_TAG } from '@countersign/server/domain/sign-in/experience.ts'

/** Sets the appearance of the pages of the default tenant. */
export const setLook = async ({ store }: TestServer, settings: object): Promise<void> => {
  await store.database.pool.query(
    `INSERT INTO sign_in_experiences (tenant_id, settings) VALUES ('default', $1)
     ON CONFLICT (tenant_id) DO UPDATE SET settings = excluded.settings`,
    [JSON.stringify(settings)],
  )
  store.cache.drop('default', [EXPERIENCE_TAG])
}
