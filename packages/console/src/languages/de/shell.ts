/** The phrases of `en/shell.ts` in German. */
import type { shell as english } from '../en/shell.ts'

export const shell: Readonly<Record<keyof typeof english, string>> = {
  'page.title': '{title} · Countersign',
  'nav.home': 'Start',
  'nav.applications': 'Anwendungen',
  'nav.users': 'Benutzer',
  'nav.log': 'Protokoll',
  'nav.organizations': 'Organisationen',
  'nav.administrators': 'Administratoren',

  'shell.navigation': 'Bereiche',
  'shell.showNavigation': 'Navigation zeigen',
  'shell.hideNavigation': 'Navigation verbergen',
  'shell.search': 'Suchen',
  'shell.skip': 'Zum Inhalt springen',

  'menu.account': 'Mein Konto',
  'menu.theme': 'Darstellung',
  'menu.language': 'Sprache',
  'menu.signOut': 'Abmelden',
  'theme.system': 'Wie das System',
  'theme.light': 'Hell',
  'theme.dark': 'Dunkel',

  'session.ended': 'Die Sitzung ist beendet',
  'session.endedText': 'Zum Fortfahren bitte neu anmelden. Was auf dieser Seite eingegeben wurde, bleibt erhalten.',
  'session.signIn': 'Anmelden',
  'session.proof': 'Bitte die Identität bestätigen',
  'session.proofText':
    'Diese Änderung verlangt eine frische Anmeldung. Was auf dieser Seite eingegeben wurde, bleibt erhalten.',
  'session.confirm': 'Weiter',

  'notOpened.title': 'Die Konsole lässt sich nicht öffnen',
  'notOpened.address': 'Sie wurde unter einer anderen Adresse als der des Servers geöffnet. Hier ist sie:',

  'palette.placeholder': 'Zu einem Bereich, einer Anwendung oder einem Benutzer…',
  'palette.results': 'Ergebnisse',
  'palette.nothing': 'Nichts gefunden',
  'palette.screen': 'Bereich',
  'palette.application': 'Anwendung',
  'palette.user': 'Benutzer',

  'action.retry': 'Erneut versuchen',
  'action.cancel': 'Abbrechen',
  'action.close': 'Schließen',
  'action.save': 'Änderungen speichern',
  'action.discard': 'Verwerfen',
  'action.delete': 'Löschen',
  'action.undo': 'Rückgängig',
  'action.clear': 'Filter aufheben',
  'action.notNow': 'Nicht jetzt',
  'action.copy': 'Kopieren: {what}',
  'action.copied': 'Kopiert',

  'state.loading': 'Wird geladen',
  'state.offline': 'Der Server ist nicht erreichbar. Es wurde nichts geändert.',
  'state.unknown':
    'Die Verbindung brach beim Speichern ab. Ob gespeichert wurde, ist noch nicht bekannt; Ihre Eingaben bleiben erhalten.',
  'state.unknownBack':
    'Die Verbindung brach beim Speichern ab. Sie besteht wieder, und diese Seite zeigt den Stand des Servers: Fehlt Ihre Änderung, speichern Sie sie erneut.',
  'state.unknownOne': 'Die Verbindung brach ab: Ob es ausgeführt wurde, ist nicht bekannt.',
  'connection.lost': 'Der Server ist nicht erreichbar.',
  'connection.lostText': 'Es wird von selbst erneut versucht. Ihre Eingaben bleiben erhalten.',
  'state.failed': 'Das hat nicht geklappt.',
  'state.request': 'Anfrage {id}',
  'state.notFound': 'Diese Seite gibt es nicht',
  'state.noPermission': 'Ihre Rolle umfasst diesen Bildschirm nicht',
  'state.noMatch': 'Keine Treffer',
  'state.noMatchText': 'Filter ändern oder aufheben.',

  'conflict.title': 'Das wurde inzwischen geändert',
  'conflict.text': '{name} hat dieselben Felder geändert. Welche Werte sollen bleiben?',
  'conflict.textWhen': '{name} hat {when} dieselben Felder geändert. Welche Werte sollen bleiben?',
  'conflict.other': 'Ein anderes Administrationskonto',
  'conflict.self': 'Ihr Konto (in einem anderen Fenster)',
  'conflict.mine': 'Sie',
  'conflict.takeTheirs': 'Andere übernehmen',
  'conflict.keepMine': 'Meine behalten',
  'conflict.merged': '{name} hat das auch geändert. Beide Änderungen sind gespeichert.',
  'conflict.mergedMembers': '{name} hat inzwischen {members} geändert. Beide Änderungen sind gespeichert.',
  'conflict.notSaved': 'Nicht gespeichert: Das wurde inzwischen geändert. Ihre Eingaben bleiben erhalten.',

  'confirm.type': 'Zur Bestätigung eingeben:',
  'form.required': 'Diese Angabe fehlt.',
  'form.saved': 'Gespeichert',

  'table.columns': 'Spalten',
  'table.pages': 'Seiten',
  'table.range': '{from}–{to} von {total}',
  'table.previous': 'Vorige Seite',
  'table.next': 'Nächste Seite',

  'api.show': 'API-Aufruf zeigen',
  'api.title': 'Dasselbe über die API',
  'api.text': '$TOKEN ist ein Zugriffstoken für die Management-API.',
  'api.file': 'Dasselbe als Datei',
  'api.fileText':
    'Zeilen einer Mandantendatei für das, was hier zu sehen ist. Was darin fehlt, bleibt, wie es ist; Geheimnisse sind Umgebungsvariablen.',
  'api.shell': 'In einer Shell',

  'create.kind': 'Was ist es?',
  'create.namePlaceholder': 'Kundenportal',
  'create.redirect': 'Redirect-URI',
  'create.redirectHint': 'Wohin Benutzer nach der Anmeldung zurückkehren. Weitere lassen sich später hinzufügen.',
}
