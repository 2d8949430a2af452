/** The phrases of `en/explain.ts` in Polish. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    'Dlaczego token ma scope albo go nie ma? Odpowiedź pochodzi z kodu, który wydaje tokeny; nic nie jest wydawane.',
  'explain.question': 'Kto się loguje',
  'explain.application': 'Aplikacja',
  'explain.choose': 'Wybierz…',
  'explain.noneOf': 'Brak',
  'explain.userText': 'Użytkownik, który by się logował.',
  'explain.applicationText': 'Aplikacja, która prosiłaby o token.',
  'explain.scope': 'Scope’y',
  'explain.scopeHint': 'Nazwy oddzielone spacjami. Puste: każde uprawnienie API.',
  'explain.ask': 'Wyjaśnij',
  'explain.none': 'Wybierz użytkownika i aplikację',
  'explain.noneText': 'Zobaczysz, jaki token użytkownik otrzymałby tam teraz i dzięki którym rolom.',
  'explain.jwt': 'JWT dla API',
  'explain.opaque': 'Nieprzejrzysty token (opaque)',
  'explain.refused': 'Brak tokenu',
  'explain.audience': 'Audience',
  'explain.userinfo': 'Userinfo endpoint',
  'explain.why': 'Dlaczego ten',
  'explain.scopes': 'Żądane scope’y',
  'explain.granted': 'Przyznane',
  'explain.missing': 'Nieprzyznane',
  'explain.through': 'Role, które je mają:',
  'explain.inOrganization': '{name} (w organizacji)',
}
