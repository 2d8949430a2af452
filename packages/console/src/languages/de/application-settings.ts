/** The phrases of `en/application-settings.ts` in German. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': 'Branding',
  'tokens.maxAllowedGrants': 'Geräte pro Benutzer',
  'tokens.maxAllowedGrants.hint': 'Die Anmeldung auf einem weiteren meldet das älteste ab. Leer: beliebig viele.',
  'tokens.algorithm': 'Algorithmus der ID-Token',
  'tokens.algorithmOfTenant': 'Der des aktuellen Schlüssels',

  'refused.title': 'Diese Adresse hinzufügen?',
  'refused.text':
    'Dorthin werden Benutzer nach der Anmeldung mit ihrem Code geschickt. Jeder kann diesen Eintrag mit einem Link auslösen: nur eine Adresse hinzufügen, die sicher die eigene ist.',
  'refused.address': 'Adresse',
  'refused.count': 'Abgelehnte Anfragen',
  'refused.last': 'Zuletzt',
  'refused.from': 'Von IP-Adresse',

  'signOut.title': 'Back-Channel-Abmeldung',
  'signOut.text': 'Die Anwendung erfährt, wenn eine Sitzung anderswo endet.',
  'signOut.uri': 'Back-Channel-Logout-URI',
  'signOut.uriHint': 'Bekommt ein signiertes Logout-Token per POST. Leer: sie erfährt es nicht.',

  'customData.title': 'Eigene Daten',
  'customData.text': 'Für eigene Programme aufbewahrt. Der Server liest sie nie.',

  'authentication.title': 'Authentifizierung',
  'authentication.text': 'Wie sich die Anwendung am Token-Endpunkt ausweist.',
  'authentication.method': 'Verfahren',
  'authentication.client_secret_basic': 'Geheimnis im Header (Basic)',
  'authentication.client_secret_post': 'Geheimnis im Body (POST)',
  'authentication.private_key_jwt': 'Privater Schlüssel (JWT)',
  'authentication.keys': 'Öffentliche Schlüssel',
  'authentication.keysHint':
    'Ein JSON Web Key Set mit Schlüsseln für RSA, P-256, P-384 oder Ed25519. Die privaten bleiben bei der Anwendung.',

  'exchange.title': 'Token-Austausch',
  'exchange.text':
    'Dienste handeln für Benutzer oder rufen weitere APIs für sie auf, mit einem Token im Tausch gegen ein anderes.',
  'exchange.only': 'Nur diese',
  'exchange.subjects': 'Nimmt Token für',
  'exchange.anyApi': 'Jede API',
  'exchange.targets': 'Bekommt Token für',
  'exchange.anyTarget': 'Jede API außer der Management-API',

  'introspection.title': 'Introspection',
  'introspection.text': 'Eine API fragt, ob ein Token gültig ist, das sie bekommen hat.',
  'introspection.apis': 'Darf prüfen: Token für',
  'introspection.every': 'Jede API: alle Token dieses Mandanten',

  'look.title': 'Auf den Anmeldeseiten',
  'look.text': 'Was leer ist, sieht aus wie bei allen Anwendungen.',
  'look.displayName': 'Anzeigename',
  'look.displayNameHint': 'Was Benutzer anstelle des Namens sehen.',
  'look.thirdParty': 'Bedingungen und Datenschutzhinweise Dritter stehen dort, wo Benutzer zustimmen.',
  'look.customCssText': 'CSS hinter dem aller Seiten. Es lädt nichts von anderen Adressen.',
  'look.dark.tenant': 'Wie bei allen Anwendungen',
  'look.dark.true': 'An',
  'look.dark.false': 'Aus',

  'application.tab.access': 'Zugang',
  'application.tab.consent': 'Zustimmung',
  'application.tab.roles': 'Rollen',

  'access.title': 'Wer sich anmelden darf',
  'access.openText': 'Jeder Benutzer dieses Mandanten darf die Anwendung benutzen.',
  'access.limitedText': 'Nur Benutzer, die eine der Listen unten zulässt, dürfen die Anwendung benutzen.',
  'access.limit': 'Nur zugelassene Benutzer',
  'access.limitText': 'Wird bei jeder Anmeldung geprüft.',
  'access.limitFirst': 'Zuerst Benutzer, eine Rolle oder eine Organisation zulassen.',
  'access.noUsers': 'Keine Benutzer.',
  'access.noRoles': 'Keine Rollen.',
  'access.noOrganizations': 'Keine Organisationen.',
  'access.userText': 'Der Benutzer darf die Anwendung benutzen.',
  'access.roleText': 'Alle Benutzer mit der Rolle dürfen die Anwendung benutzen.',
  'access.organizationText': 'Welche ihrer Mitglieder die Anwendung benutzen dürfen, folgt im nächsten Schritt.',
  'access.addOrganization': 'Organisation hinzufügen',
  'access.rolesText':
    'Rollen ankreuzen, um nur Mitglieder mit einer davon zuzulassen; ohne Rolle sind alle Mitglieder zugelassen.',
  'access.admitAll': 'Alle Mitglieder zulassen',
  'access.admitRoles': 'Diese Rollen zulassen',
  'access.allMembers': 'Alle Mitglieder',
  'access.withRoles': 'Mitglieder mit: {roles}',
  'access.remove': 'Entfernen',
  'access.removeText': 'Lässt keine Benutzer mehr zu. Eine andere Regel kann dieselben noch zulassen.',

  'machine.rolesText': 'Was die Anwendung darf, ab ihrem nächsten Token.',
  'machine.noRoles': 'Keine Rollen.',
  'machine.addRoleText': 'Die Anwendung bekommt die Berechtigungen der Rolle mit dem nächsten Token.',
  'machine.organizationsText': 'Wo die Anwendung Mitglied ist, mit ihren Rollen dort.',
  'machine.management': 'Management-API',
  'machine.managementText': 'Rollen geben einzelne ihrer Berechtigungen. Dies gibt alle.',
  'machine.admin': 'Voller Zugriff auf die Management-API',
  'machine.adminText': 'Sie kann alles in diesem Mandanten lesen und ändern.',
  'machine.adminWarning':
    'Wer ihr Geheimnis kennt, kann dann alles in diesem Mandanten lesen und ändern, auch Benutzer und Geheimnisse.',
  'machine.give': 'Vollen Zugriff geben',

  'consent.title': 'Über den Benutzer',
  'consent.text':
    'Worum die Anwendung Benutzer bitten darf. Anderes in ihren Anfragen wird übergangen; den Rest sehen Benutzer und stimmen zu.',
  'consent.profile': 'Name, Bild und andere Profildaten',
  'consent.email': 'E-Mail-Adresse',
  'consent.phone': 'Telefonnummer',
  'consent.address': 'Postanschrift',
  'consent.customData': 'Eigene Daten',
  'consent.identities': 'Verknüpfte Konten',
  'consent.roles': 'Rollen',
  'consent.organizations': 'Organisationen',
  'consent.organizationRoles': 'Rollen in Organisationen',
  'consent.sessions': 'Sitzungen',
  'consent.trustedDevices': 'Vertraute Geräte',
  'consent.ownText': 'Berechtigungen der Organisationen, für die der Benutzer die Anwendung handeln lässt.',
  'consent.inOrganizations': '{name}, in Organisationen',

  'create.thirdParty': 'Fremdanwendung',
  'create.thirdPartyText':
    'Von einem anderen Unternehmen betrieben: Benutzer stimmen zu, was sie darf. Lässt sich später nicht ändern.',
  'start.verification': 'Seite, auf der Benutzer den Code eingeben',
}
