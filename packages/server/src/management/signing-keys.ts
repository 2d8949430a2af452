/** `/configs/oidc/private-keys`: signing keys. */
import { type SigningAlgorithm, signingKeyRoutes } from '@countersign/contract/signing-keys.ts'
import {
  deleteSigningKey,
  keyState,
  rotateSigningKeys,
  type SigningKey,
  signingKeys,
} from '../domain/tenants/signing-keys.ts'
import { bind } from '../http/api.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'

/** Twice as long as a JWKS is kept by caches. */
const DEFAULT_GRACE_SECONDS = 600

const FAMILY = { ES256: 'EC', ES384: 'EC', RS256: 'RSA', PS256: 'RSA', EdDSA: 'OKP' } as const
const ALGORITHM_OF_FAMILY = { EC: 'ES256', RSA: 'RS256' } as const satisfies Record<string, SigningAlgorithm>

const listed = async (store: Store, tenant: Tenant) => {
  const keys = await signingKeys(store, tenant)
  const now = store.clock.now()
  return keys.map((key: SigningKey) => ({
    id: key.id,
    createdAt: key.createdAt.getTime(),
    signingKeyAlgorithm: FAMILY[key.algorithm],
    algorithm: key.algorithm,
    chain: key.chain,
    status: keyState(keys, key, now),
    effectiveAt: key.effectiveAt.getTime(),
  }))
}

export const signingKeyHandlers = bind(signingKeyRoutes, {
  listSigningKeys: (_input, { store, tenant }) => listed(store, tenant),
  async rotateSigningKeys({ body }, { store, tenant, perform }) {
    const family = body.signingKeyAlgorithm
    const algorithm = body.algorithm ?? (family && ALGORITHM_OF_FAMILY[family])
    await perform(rotateSigningKeys, algorithm, body.rotationGracePeriod ?? DEFAULT_GRACE_SECONDS)
    return listed(store, tenant)
  },
  async deleteSigningKey({ params }, { perform }) {
    await perform(deleteSigningKey, params.keyId)
  },
})
