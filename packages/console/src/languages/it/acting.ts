/** The phrases of `en/acting.ts` in Italian. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'Ottieni un token di accesso come questo utente per un’API. Dura al massimo dieci minuti, e ciò che si fa con esso conta come fatto dall’utente.',
  'acting.permissions': 'Autorizzazioni',
  'acting.permissionsHint': 'Il token ha quelle che ha l’utente.',
  'acting.begin': 'Agisci come utente',
  'acting.made':
    'Il token funziona fino alle {time} e non viene più mostrato. Dice che agisci per l’utente. Terminalo appena hai finito.',
  'acting.token': 'Token di accesso',
  'acting.claims': 'Claim',
  'acting.request': 'Richiesta all’API',
  'acting.noScopes': 'L’utente non ha nessuna di queste autorizzazioni: il token non ne ha.',
  'acting.banner': 'Agisci come {name} per «{reason}» fino alle {time}.',
  'acting.end': 'Termina',
  'acting.endLabel': 'Smetti di agire come {name}',
  'acting.ended': 'Il token viene rifiutato da ora. Un’API che verifica solo la firma lo accetta fino alle {time}.',
}
