/** The phrases of `en/scim.ts` in Italian. */
import type { scim as english } from '../en/scim.ts'

export const scim: Readonly<Record<keyof typeof english, string>> = {
  'scim.text': 'Con queste, provider di identità come Entra ID o Okta creano, modificano e disattivano utenti.',
  'scim.create': 'Crea directory',
  'scim.createText': 'Fornisce gli utenti del tenant. Per i membri di una sola organizzazione, creala lì.',
  'scim.createOrganizationText': 'Fornisce i membri di questa organizzazione.',
  'scim.none': 'Ancora nessuna directory',
  'scim.noneText': 'Creane una per ogni provider di identità che deve fornire utenti.',
  'scim.noDirectories': 'Nessuna directory.',
  'scim.organizationText': 'Un’azienda fornisce i propri membri dal suo provider di identità.',
  'scim.provisions': 'Fornisce',
  'scim.provisionsText': 'I suoi utenti diventano membri di questa organizzazione.',
  'scim.tenant': 'Utenti del tenant',
  'scim.state': 'Stato',
  'scim.enabled': 'Attiva',
  'scim.disabled': 'Disattivata',
  'scim.tab.connect': 'Collega',
  'scim.tab.groups': 'Gruppi',
  'scim.tab.activity': 'Attività',
  'scim.tab.settings': 'Impostazioni',
  'scim.address': 'Indirizzo',
  'scim.addressText': 'Inseriscilo presso il provider di identità, con un token qui sotto.',
  'scim.baseUrl': 'URL di base SCIM (URL del tenant)',
  'scim.domains': 'Domini email',
  'scim.domainsHint':
    'Uno per riga. Gli indirizzi in questi domini contano come verificati quando li invia la directory.',
  'scim.isEnabled': 'Attiva',
  'scim.isEnabled.hint': 'Se disattivata, ogni richiesta del provider di identità viene rifiutata.',
  'scim.linksUsers': 'Collega utenti esistenti',
  'scim.linksUsers.hint':
    'Gli utenti con un indirizzo verificato in uno dei domini vengono acquisiti invece che rifiutati.',
  'scim.restrictsDomains': 'Solo questi domini',
  'scim.restrictsDomains.hint': 'Gli utenti con un indirizzo in un altro dominio vengono rifiutati.',
  'scim.deletesUsers': 'Elimina account',
  'scim.deletesUsers.hint':
    'Un’eliminazione lì elimina l’account qui. Altrimenti l’account viene sospeso, o lascia solo l’organizzazione.',
  'scim.delete': 'Elimina directory',
  'scim.deleteText': 'Con i suoi token e gruppi. I suoi utenti restano come sono. Non si può annullare.',
  'scim.noActivity': 'Il provider di identità non ha ancora chiamato.',
  'scim.allActivity': 'Mostra nel registro',

  'scimTokens.title': 'Token',
  'scimTokens.text':
    'Per sostituirne uno, creane un altro, inseriscilo presso il provider di identità, poi elimina il primo.',
  'scimTokens.none': 'Nessun token: il provider di identità non può chiamare.',
  'scimTokens.add': 'Crea token',
  'scimTokens.addText': 'Funziona subito, accanto a quelli esistenti.',
  'scimTokens.created': 'Copia ora il token',
  'scimTokens.once': 'Viene mostrato solo questa volta.',
  'scimTokens.kept': 'L’ho copiato',
  'scimTokens.delete': 'Elimina token',
  'scimTokens.deleteText': 'Se lo usa ancora, il provider di identità viene rifiutato dalla prossima richiesta.',

  'scimGroups.members': 'Membri: {count}',
  'scimGroups.rolesText':
    'I membri del gruppo ottengono questi ruoli, e perdono quelli che nessun altro gruppo dà loro.',
  'scimGroups.none': 'Ancora nessun gruppo',
  'scimGroups.noneText': 'I gruppi appaiono quando il provider di identità li invia. Qui scegli i ruoli di ciascuno.',
}
