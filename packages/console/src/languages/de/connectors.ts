/** The phrases of `en/connectors.ts` in German. */
import type { connectors as english } from '../en/connectors.ts'

export const connectors: Readonly<Record<keyof typeof english, string>> = {
  'connectors.text': 'Dienste, die Nachrichten zu Benutzern bringen, und Anbieter, bei denen Benutzer sich anmelden.',
  'connectors.email': 'E-Mail',
  'connectors.emailText': 'Bringt Codes, Links und Hinweise per E-Mail.',
  'connectors.noEmail': 'Nicht eingerichtet: Benutzer erhalten keine Codes und Links per E-Mail.',
  'connectors.sms': 'SMS',
  'connectors.smsText': 'Bringt Codes aufs Telefon.',
  'connectors.noSms': 'Nicht eingerichtet: Benutzer können sich nicht mit Telefonnummer und Code anmelden.',
  'connectors.social': 'Anmeldung bei Anbietern',
  'connectors.socialText': 'Benutzer melden sich mit dem Konto an, das sie anderswo haben.',
  'connectors.noSocial': 'Noch keine.',
  'connectors.sso': 'Unternehmens-SSO',
  'connectors.ssoText':
    'Benutzer mit einer Adresse an der Domain eines Unternehmens melden sich bei dessen Identitätsanbieter an.',
  'connectors.noSso': 'Noch keine.',
  'connectors.ssoOff':
    'Unternehmens-SSO ist aus: Kein Benutzer wird zu diesen Identitätsanbietern geleitet. Öffnen Sie einen, um es einzuschalten.',
  'connectors.setUp': 'Einrichten',
  'connectors.replace': 'Ersetzen',
  'connectors.addSocial': 'Anbieter hinzufügen',
  'connectors.addSso': 'Unternehmen hinzufügen',
  'connectors.notOffered': 'Nicht angeboten',
  'connectors.noDomains': '{provider} · noch keine Domains',
  'connectors.incomplete': 'Unvollständig',
  'connectors.complete': 'Vollständig',
  'connectors.incompleteText':
    'Die Konfiguration ist nicht vollständig: Bis dahin wird kein Benutzer zu diesem Identitätsanbieter geleitet.',
  'connectors.choose': 'Wählen Sie den Dienst.',
  'connectors.create': 'Konnektor anlegen',
  'connectors.created': '{name} wurde angelegt',
  'connectors.replaces': 'Dies ersetzt {name}, sobald Sie es anlegen.',
  'connectors.settings': 'Konfiguration',
  'connectors.optional': 'Weitere Einstellungen',
  'connectors.default': 'Vorgabe',
  'connectors.yes': 'Ja',
  'connectors.no': 'Nein',
  'connectors.noJson': 'Das ist kein gültiges JSON.',
  'connectors.target': 'Kennung des Anbieters',
  'connectors.targetHint':
    'Unter ihr werden die Identitäten der Benutzer gespeichert. Sie lässt sich später nicht ändern.',
  'connectors.nameHint': 'Wie ihn die Schaltfläche auf der Anmeldeseite nennt.',
  'connectors.syncProfile': 'Profil bei jeder Anmeldung aktualisieren',
  'connectors.syncProfile.hint':
    'Name und Bild folgen dem Anbieter. Aus: Sie werden nur bei der Registrierung übernommen.',
  'connectors.enableTokenStorage': 'Tokens des Anbieters aufbewahren',
  'connectors.enableTokenStorage.hint':
    'Verschlüsselt, damit Anwendungen seine API für den Benutzer aufrufen können. Aus: Aufbewahrte Tokens werden gelöscht.',
  'connectors.setup': 'Einrichtung',
  'connectors.callback': 'Redirect URI (Rücksprungadresse)',
  'connectors.callbackHint': 'Registrieren Sie sie beim Anbieter, genau wie sie hier steht.',
  'connectors.callbackLater':
    'Die Redirect-URI, die beim Anbieter einzutragen ist, steht hier zum Kopieren, sobald der Konnektor angelegt ist.',
  'connectors.offered': 'Auf der Anmeldeseite anbieten',
  'connectors.offeredText': 'Benutzer sehen eine Schaltfläche dafür.',
  'connectors.check': 'Anbieter prüfen',
  'connectors.checked':
    'Ob der Anbieter die Anwendung und die Weiterleitungsadresse kennt, zeigt sich bei der ersten Anmeldung.',
  'connectors.check.ok': 'Benutzer können dorthin gesandt werden',
  'connectors.check.warning': 'Benutzer können dorthin gesandt werden, und bald nicht mehr',
  'connectors.check.problem': 'Benutzer können sich dort nicht anmelden',
  'connectors.ssoSetupText': 'Was der Identitätsanbieter des Unternehmens wissen muss.',
  'connectors.ssoLater':
    'Name und Domains genügen vorerst: Nach dem Anlegen erhalten Sie die Adressen, nach denen der Identitätsanbieter fragt, und ergänzen die Konfiguration mit seinen Angaben.',
  'connectors.entityId': 'Entity ID und Adresse der Metadaten',
  'connectors.acs': 'Assertion Consumer Service (Antwort-URL)',
  'connectors.domains': 'E-Mail-Domains',
  'connectors.domainsHint':
    'Eine je Zeile. Benutzer mit diesen Adressen melden sich beim Unternehmen an, nicht mit Passwort oder Code.',
  'connectors.ssoSwitch': 'Unternehmens-SSO für diesen Mandanten',
  'connectors.ssoSwitchText': 'Aus: Kein Benutzer wird zum Identitätsanbieter eines Unternehmens geleitet.',
  'connectors.delete': 'Konnektor löschen',
  'connectors.deleteText': 'Nachrichten dieser Art werden nicht mehr gesendet. Das lässt sich nicht rückgängig machen.',
  'connectors.deleteSocialText':
    'Benutzer können sich bei diesem Anbieter nicht mehr anmelden. Das lässt sich nicht rückgängig machen.',
  'connectors.deleteSsoText':
    'Seine Benutzer bleiben, verlieren ihre Identität beim Unternehmen und müssen sich anders anmelden. Das lässt sich nicht rückgängig machen.',
  'connectors.deleted': '{name} wurde gelöscht',
  'connectors.test': 'Testnachricht',
  'connectors.testText': 'Wird mit der Konfiguration gesendet, wie sie oben steht, auch bevor sie gespeichert ist.',
  'connectors.testEmail': 'An E-Mail-Adresse',
  'connectors.testPhone': 'An Telefonnummer',
  'connectors.send': 'Testnachricht senden',
  'connectors.tested': 'Die Nachricht wurde angenommen. Sie sollte gleich eintreffen.',
  'connectors.advice.address':
    'Prüfen Sie den Hostnamen. Eine Adresse, die nicht öffentlich ist, muss in OUTBOUND_ALLOW des Servers stehen.',
  'connectors.advice.plain':
    'Das Passwort ginge unverschlüsselt durchs Netz. Verwenden Sie den Port für TLS (465 mit „secure“ oder 587) oder einen anderen Server.',
  'connectors.advice.connect':
    'Prüfen Sie Host und Port, und ob eine Firewall zwischen diesem Server und dem Mailserver oder Anbieter die Verbindung zulässt.',
  'connectors.advice.tls':
    'Die verschlüsselte Verbindung kam nicht zustande. Prüfen Sie, ob der Port sofort TLS („secure“) oder STARTTLS spricht und ob das Zertifikat für den Host gilt.',
  'connectors.advice.login':
    'Die Zugangsdaten wurden abgelehnt. Prüfen Sie Benutzername und Passwort oder den Schlüssel und seine Rechte.',
  'connectors.advice.sender': 'Der Absender wurde abgelehnt. Der Anbieter muss ihn für dieses Konto bestätigt haben.',
  'connectors.advice.recipient':
    'Der Empfänger wurde abgelehnt. Mit einem Testkonto senden Anbieter nur an Empfänger, die Sie dort bestätigt haben.',
  'connectors.advice.message': 'Die Nachricht wurde abgelehnt. Prüfen Sie die Vorlagen.',
  'connectors.advice.limit': 'Das Kontingent des Kontos ist erschöpft. Warten Sie, oder erhöhen Sie es beim Anbieter.',
  'connectors.advice.fault':
    'Der Anbieter ist gestört. Versuchen Sie es später erneut, oder sehen Sie auf seiner Statusseite nach.',
  'connectors.advice.protocol':
    'Was antwortet, spricht nicht das erwartete Protokoll. Prüfen Sie den Port, und ob die Adresse die des Dienstes ist.',
}
