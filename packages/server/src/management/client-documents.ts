/** `/configs/cimd` and `/cimd/user-consent-scopes`: clients whose id is the address of a document about them. */
import { clientDocumentRoutes } from '@countersign/contract/client-documents.ts'
import {
  addDocumentConsentScopes,
  listDocumentConsentScopes,
  removeDocumentConsentScope,
} from '../domain/access/consent-scopes.ts'
import { clientDocumentSettings, updateClientDocumentSettings } from '../domain/registered-clients/document-settings.ts'
import { bind } from '../http/api.ts'
import { CONSENT_SCOPE_KINDS, toConsentScopes } from './user-consent-scopes.ts'

export const clientDocumentHandlers = bind(clientDocumentRoutes, {
  getCimdConfig: (_input, { store, tenant }) => clientDocumentSettings(store, tenant),
  updateCimdConfig: ({ body }, { perform }) => perform(updateClientDocumentSettings, body),
  getCimdUserConsentScopes: async (_input, { store, tenant }) =>
    toConsentScopes(await listDocumentConsentScopes(store, tenant)),
  async addCimdUserConsentScopes({ body }, { perform }) {
    await perform(addDocumentConsentScopes, body)
  },
  async removeCimdUserConsentScope({ params }, { perform }) {
    await perform(removeDocumentConsentScope, CONSENT_SCOPE_KINDS[params.scopeType], params.scopeId)
  },
})
