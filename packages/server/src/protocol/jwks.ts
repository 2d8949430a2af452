/** The JSON Web Key Set: RFC 7517 section 5. Next, Current and Previous keys, public parts only (DECISIONS G1). */
import { type SigningKey, signingKeys } from '../domain/tenants/signing-keys.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'
import { PUBLIC_DOCUMENT } from './discovery.ts'

const prepared = new WeakMap<readonly SigningKey[], Answer>()

const answerFor = (keys: readonly SigningKey[]): Answer => {
  const known = prepared.get(keys)
  if (known) return known
  const answer: Answer = {
    status: 200,
    headers: { 'content-type': 'application/jwk-set+json', ...PUBLIC_DOCUMENT },
    body: Buffer.from(JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) })),
  }
  prepared.set(keys, answer)
  return answer
}

export const jwksEndpoint =
  (store: Store) =>
  async ({ tenant }: Exchange): Promise<Answer> =>
    answerFor(await signingKeys(store, tenant))
