/** The phrases of `en/home.ts` in Dutch. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'Hallo {name}',
  'home.recent': 'Wat er nu gebeurt',
  'home.allEntries': 'Logboek openen',

  'first.title': 'Eerste stappen',
  'first.text': 'Drie stappen tot de eerste gebruiker die inlogt.',
  'first.done': 'Klaar',
  'first.administrator': 'Een beheerder zorgt voor deze server: jij',
  'first.application': 'Registreer je applicatie',
  'first.applicationText': 'Een website, app of dienst waar gebruikers via deze server inloggen.',
  'first.signIn': 'Log in bij je applicatie',
  'first.signInText': 'Plak de code in je applicatie, start haar en log in met een nieuw account.',
  'first.signedIn': 'Een gebruiker is ingelogd',
  'first.code': 'Code voor {name}',
  'first.waiting': 'Wachten op je eerste login…',
  'first.finished': 'Het werkt. Gebruikers kunnen inloggen bij je applicatie.',
  'applications.create': 'Applicatie aanmaken',
}
