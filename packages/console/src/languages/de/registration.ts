/** The phrases of `en/registration.ts` in German. */
import type { registration as english } from '../en/registration.ts'

export const registration: Readonly<Record<keyof typeof english, string>> = {
  'registration.title': 'Registrierung',
  'registration.text': 'Anwendungen, die sich selbst registrieren, etwa MCP-Clients und solche von Partnern.',
  'registration.who': 'Wer registrieren darf',
  'registration.whoText':
    'Registrierte Anwendungen sind solche von Dritten: Nutzer stimmen dem zu, was sie verlangen. Sie bekommen keine Rollen und keinen Zugriff auf die Management-API.',
  'registration.mode': 'Die Registrierung ist',
  'registration.closed': 'Geschlossen',
  'registration.initial-access-token': 'Offen für Inhaber eines Tokens',
  'registration.open': 'Offen für alle',
  'registration.maxClients': 'Registrierte Anwendungen höchstens',
  'registration.perHour': 'Innerhalb einer Stunde, ohne Token',
  'registration.unusedDays': 'Ungenutzte löschen nach (Tagen)',
  'registration.unusedHint': 'Leer: nie. Ungenutzt ist eine, bei der sich niemand angemeldet hat.',
  'registration.policy': 'Was sie sein dürfen',
  'registration.policyText':
    'Für alle, die sich ohne Token registrieren, und für neue Tokens. Was registriert ist, bleibt, wie es ist.',
  'registration.hosts': 'Hosts der Redirect-URIs',
  'registration.hostsHint':
    'Einer je Zeile: app.example.com, *.example.com oder com.example.app: für ein privates Schema. Leer: überall.',
  'registration.userScopes': 'Was sie vom Nutzer verlangen dürfen',
  'registration.userScopesHint': 'Ein Scope je Zeile, etwa profile oder email.',
  'registration.permissions': 'Berechtigungen, die sie verlangen dürfen',
  'registration.permissionsHint':
    'Eine API je Zeile: ihr Indikator, dann ihre Berechtigungen, mit Leerzeichen dazwischen.',
  'registration.prefix': 'Vor jedem Namen',
  'registration.isNative': 'Anwendungen auf Geräten',
  'registration.isNativeText': 'Telefone, Desktops und Kommandozeilen, die auf dem Gerät selbst lauschen.',
  'registration.statement': 'Software-Statement verlangen',
  'registration.statementText': 'Nur Software, für die einer der unten genannten Aussteller bürgt.',
  'registration.issuers': 'Aussteller von Software-Statements',
  'registration.issuersHint': 'JSON: eine Liste von Objekten mit issuer und jwks oder jwksUri.',
  'registration.tokens': 'Tokens für die Registrierung',
  'registration.tokensText':
    'Wer eines hat, kann Anwendungen registrieren, solange die Registrierung nicht geschlossen ist.',
  'registration.noTokens': 'Keine Tokens: niemand registriert mit einem.',
  'registration.addTokenText': 'Es erlaubt, was oben eingestellt ist, so wie es jetzt ist.',
  'registration.uses': 'Anwendungen, die sich damit registrieren dürfen',
  'registration.used': '{count} von {most} registriert',
  'registration.usedAny': '{count} registriert',
  'registration.deleteText': 'Niemand registriert mehr damit. Anwendungen, die es taten, bleiben.',
  'documents.title': 'Clients mit Dokument',
  'documents.text':
    'Clients, die niemand registriert hat: Jeder veröffentlicht ein Dokument über sich, unter der https-Adresse, die seine ID ist.',
  'documents.switch': 'Dürfen Nutzer anmelden',
  'documents.switchText':
    'Nutzer werden jedes Mal gefragt, mit einer Warnung. Ausgeschaltet sind solche Clients unbekannt und erneuern keine Tokens.',
  'documents.scopes': 'Was sie alle von Nutzern verlangen dürfen',
  'applications.registered': 'Selbst registriert',
  'authentication.jwksUri': 'Adresse der öffentlichen Schlüssel',
  'authentication.jwksUriHint': 'Anstelle der Schlüssel: Sie werden abgerufen, wenn sie gebraucht werden.',
  'identity.idTokenEncryption': 'Verschlüsselung der ID-Tokens',
  'identity.userinfoEncryption': 'Verschlüsselung von Userinfo',
  'identity.noEncryption': 'Keine',
  'idToken.title': 'ID-Tokens',
  'idToken.text': 'Was sie über Nutzer sagen, für alle Anwendungen, die nicht selbst wählen.',
  'idToken.extended': 'Claims über die üblichen hinaus',
  'idToken.extendedHint':
    'Einer je Zeile: custom_data, identities, roles, organizations, organization_data oder organization_roles. Userinfo hat alle.',
}
