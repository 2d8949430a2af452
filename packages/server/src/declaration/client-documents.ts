/** Clients whose id is the address of a document: whether there are any, and what all of them may ask for. The clients are not in the file. */
import type { Declaration } from '@countersign/contract/declaration.ts'
import { addDocumentConsentScopes, removeDocumentConsentScope } from '../domain/access/consent-scopes.ts'
import { ALL_DOCUMENT_CLIENTS } from '../domain/applications/document-clients.ts'
import {
  readClientDocumentSettings,
  updateClientDocumentSettings,
} from '../domain/registered-clients/document-settings.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { changeConsentScopes, readConsentScopes } from './application-access.ts'
import { at, type Journal, reportChange } from './journal.ts'
import { readOrganizationScopes } from './organization-template.ts'
import { readPermissions } from './resources.ts'

type Declared = NonNullable<Declaration['clientDocuments']>

/** What all of them may ask for now: names of user scopes, ids of permissions. */
export const readDocumentConsentScopes = async (unit: Unit) => (await readConsentScopes(unit))(ALL_DOCUMENT_CLIENTS)

export const applyClientDocuments = async (unit: Unit, journal: Journal, declared: Declared): Promise<void> => {
  const { enabled, userConsentScopes } = declared
  const details: string[] = []
  const before = await readClientDocumentSettings(unit.tx, unit.tenant.id)
  if (enabled !== undefined && enabled !== before.enabled) {
    await at(['clientDocuments'], () => updateClientDocumentSettings.run(unit, { enabled }))
    details.push(`enabled: ${before.enabled} → ${enabled}`)
  }
  if (userConsentScopes) {
    const changes = {
      add: (scopes: Parameters<typeof addDocumentConsentScopes.run>[1]) => addDocumentConsentScopes.run(unit, scopes),
      remove: (kind: Parameters<typeof removeDocumentConsentScope.run>[1], scope: string) =>
        removeDocumentConsentScope.run(unit, kind, scope),
    }
    const known = { permissions: await readPermissions(unit), organizationScopes: await readOrganizationScopes(unit) }
    const present = await readDocumentConsentScopes(unit)
    const path = ['clientDocuments', 'userConsentScopes']
    details.push(...(await changeConsentScopes(changes, userConsentScopes, present, known, path)))
  }
  reportChange(journal, 'clients with documents', details)
}
