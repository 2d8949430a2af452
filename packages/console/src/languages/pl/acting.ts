/** The phrases of `en/acting.ts` in Polish. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'Otrzymasz token dostępu tego użytkownika do jednego API. Jest ważny najwyżej dziesięć minut, a to, co się z nim zrobi, liczy się jako zrobione przez użytkownika.',
  'acting.permissions': 'Uprawnienia',
  'acting.permissionsHint': 'Token ma te z nich, które ma użytkownik.',
  'acting.begin': 'Działaj jako użytkownik',
  'acting.made':
    'Token działa do {time} i nie zostanie pokazany ponownie. Zapisano w nim, że działasz za użytkownika. Zakończ, gdy tylko nie będzie już potrzebny.',
  'acting.token': 'Token dostępu',
  'acting.claims': 'Claimy',
  'acting.request': 'Żądanie do API',
  'acting.noScopes': 'Użytkownik nie ma żadnego z tych uprawnień: token jest bez uprawnień.',
  'acting.banner': 'Działasz jako {name} do {time}. Powód: „{reason}”.',
  'acting.end': 'Zakończ',
  'acting.endLabel': 'Zakończ działanie jako {name}',
  'acting.ended': 'Od teraz token jest odrzucany. API, które sprawdza tylko jego podpis, przyjmuje go do {time}.',
}
