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
  'look.dark.tenant': 'Wie bei allen Anwendungen',
  'look.dark.true': 'An',
  'look.dark.false': 'Aus',
}
