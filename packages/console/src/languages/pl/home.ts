/** The phrases of `en/home.ts` in Polish. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'Witaj, {name}',
  'home.recent': 'Co się teraz dzieje',
  'home.allEntries': 'Otwórz dziennik',

  'first.title': 'Pierwsze kroki',
  'first.text': 'Trzy kroki do pierwszego zalogowanego użytkownika.',
  'first.done': 'Gotowe',
  'first.administrator': 'Serwerem opiekuje się administrator: Ty',
  'first.application': 'Zarejestruj swoją aplikację',
  'first.applicationText': 'Witryna, aplikacja lub usługa, w której użytkownicy logują się tutaj.',
  'first.signIn': 'Zaloguj się do swojej aplikacji',
  'first.signInText': 'Wklej kod do aplikacji, uruchom ją i zaloguj się nowym kontem.',
  'first.signedIn': 'Zalogował się użytkownik',
  'first.code': 'Kod dla {name}',
  'first.waiting': 'Oczekiwanie na pierwsze logowanie…',
  'first.finished': 'Działa. Użytkownicy mogą logować się do Twojej aplikacji.',
  'applications.create': 'Utwórz aplikację',
}
