/** The phrases of `en/roles.ts` in Italian. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': 'Ruoli',

  'roles.text': 'Gruppi di autorizzazioni. Chi ha un ruolo ne ha le autorizzazioni, in tutte le API che nomina.',
  'roles.create': 'Crea ruolo',
  'roles.createText': 'Poi ne scegli le autorizzazioni. Chi può averlo non si può cambiare in seguito.',
  'roles.created': '{name}: creazione riuscita',
  'roles.type': 'Per',
  'roles.forUsers': 'Utenti',
  'roles.forMachines': 'Da macchina a macchina',
  'roles.members': 'Membri',
  'roles.default': 'Ruolo predefinito',
  'roles.defaultText': 'Lo hanno gli utenti creati da ora in poi. Quelli esistenti restano come sono.',
  'roles.none': 'Ancora nessun ruolo',
  'roles.noneText': 'Creane uno per ogni gruppo di persone o servizi che possono fare le stesse cose.',
  'roles.general': 'Generali',
  'roles.tab.permissions': 'Autorizzazioni',
  'roles.tab.members': 'Membri',
  'roles.tab.settings': 'Impostazioni',
  'roles.chosen': '{count} di {total}',
  'roles.chooseAll': 'Tutte',
  'roles.chooseNone': 'Nessuna',
  'roles.delete': 'Elimina ruolo',
  'roles.deleteText': 'Chi lo ha ne perde le autorizzazioni con il prossimo token. Non si può annullare.',
  'roles.noMembers': 'Non lo ha nessuno',
  'roles.noMembersText': 'Dallo a chi ha bisogno delle sue autorizzazioni.',
  'roles.addUser': 'Aggiungi utente',
  'roles.addApplication': 'Aggiungi applicazione',
  'roles.given': '{name} ora ha il ruolo',
  'roles.taken': '{name} non ha più il ruolo',
}
