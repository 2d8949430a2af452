/** The phrases of `en/home.ts` in Italian. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'Ciao, {name}',
  'home.recent': 'Che cosa succede ora',
  'home.allEntries': 'Apri il registro',

  'first.title': 'Primi passi',
  'first.text': 'Tre passi fino al primo utente che accede.',
  'first.done': 'Fatto',
  'first.administrator': 'Un amministratore si occupa di questo server: tu',
  'first.application': 'Registra la tua applicazione',
  'first.applicationText': 'Un sito web, un’app o un servizio in cui gli utenti accedono tramite questo server.',
  'first.signIn': 'Accedi alla tua applicazione',
  'first.signInText': 'Incolla il codice nella tua applicazione, avviala e accedi con un nuovo account.',
  'first.signedIn': 'Un utente ha effettuato l’accesso',
  'first.code': 'Codice per {name}',
  'first.waiting': 'In attesa del tuo primo accesso…',
  'first.finished': 'Funziona. Gli utenti possono accedere alla tua applicazione.',
  'applications.create': 'Crea applicazione',
}
