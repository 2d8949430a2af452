/** The phrases of `en/home.ts` in German. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'Hallo, {name}',
  'home.recent': 'Was gerade geschieht',
  'home.allEntries': 'Protokoll öffnen',

  'first.title': 'Erste Schritte',
  'first.text': 'Drei Schritte bis zur ersten Anmeldung.',
  'first.done': 'Erledigt',
  'first.administrator': 'Ein Administrator ist eingerichtet',
  'first.application': 'Anwendung registrieren',
  'first.applicationText': 'Eine Website, eine App oder ein Dienst, in dem sich Benutzer anmelden.',
  'first.signIn': 'In der Anwendung anmelden',
  'first.signInText': 'Den Code in die Anwendung einfügen, sie starten und sich mit einem neuen Konto anmelden.',
  'first.signedIn': 'Ein Benutzer hat sich angemeldet',
  'first.code': 'Code für {name}',
  'first.waiting': 'Warten auf die erste Anmeldung…',
  'first.finished': 'Es funktioniert. Benutzer können sich in der Anwendung anmelden.',
  'applications.create': 'Anwendung anlegen',
}
