/** `/saml-applications`: SAML applications and their keys. */
import { samlApplicationRoutes } from '@countersign/contract/saml-applications.ts'
import {
  createSamlApplication,
  getSamlApplication,
  type SamlApplication,
  updateSamlApplication,
} from '../domain/applications/saml-applications.ts'
import { fingerprintOf, listSamlKeys, type SamlKeyRow } from '../domain/applications/saml-keys.ts'
import { activateSamlKey, createSamlKey, deleteSamlKey } from '../domain/applications/saml-secrets.ts'
import { deleteApplication } from '../domain/organizations/deletions.ts'
import { bind } from '../http/api.ts'

const toSamlApplication = ({ row, settings }: SamlApplication) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  description: row.description,
  type: 'SAML' as const,
  customData: row.custom_data,
  isThirdParty: row.is_third_party,
  appLevelAccessControlEnabled: row.has_access_control,
  createdAt: row.created_at.getTime(),
  ...settings,
})

const toKey = (row: SamlKeyRow) => {
  const formatted = fingerprintOf(row.certificate)
  return {
    id: row.id,
    certificate: row.certificate,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    active: row.is_active,
    fingerprints: { sha256: { formatted, unformatted: formatted.replaceAll(':', '') } },
  }
}

export const samlApplicationHandlers = bind(samlApplicationRoutes, {
  async createSamlApplication({ body }, { perform }) {
    return toSamlApplication(await perform(createSamlApplication, body))
  },
  async getSamlApplication({ params }, { store, tenant }) {
    return toSamlApplication(await getSamlApplication(store, tenant, params.id))
  },
  async updateSamlApplication({ params, body }, { perform }) {
    return toSamlApplication(await perform(updateSamlApplication, params.id, body))
  },
  async deleteSamlApplication({ params }, { store, tenant, perform }) {
    await getSamlApplication(store, tenant, params.id)
    await perform(deleteApplication, params.id)
  },
  async listSamlApplicationSecrets({ params }, { store, tenant }) {
    await getSamlApplication(store, tenant, params.id)
    return (await listSamlKeys(store, tenant, params.id)).map(toKey)
  },
  async createSamlApplicationSecret({ params, body }, { perform }) {
    return toKey(await perform(createSamlKey, params.id, body.lifeSpanInYears))
  },
  async updateSamlApplicationSecret({ params, body }, { perform }) {
    return toKey(await perform(activateSamlKey, params.id, params.secretId, body.active))
  },
  async deleteSamlApplicationSecret({ params }, { perform }) {
    await perform(deleteSamlKey, params.id, params.secretId)
  },
})
