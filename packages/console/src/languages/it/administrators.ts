/** The phrases of `en/administrators.ts` in Italian. */
import type { administrators as english } from '../en/administrators.ts'

export const administrators: Readonly<Record<keyof typeof english, string>> = {
  'administrators.text': 'Gli utenti che possono aprire questa console e ciò che vi possono fare.',
  'administrators.add': 'Aggiungi amministratore',
  'administrators.addText': 'Scegli un utente. Accede qui con l’account che ha già.',
  'administrators.change': 'Modifica ruoli',
  'administrators.changeText': 'La modifica ha effetto con la sua prossima azione.',
  'administrators.roles': 'Ruoli',
  'administrators.you': 'Tu',
  'administrators.lastSignIn': 'Ultimo accesso: {when}',
  'administrators.remove': 'Rimuovi amministratore',
  'administrators.removeText': 'Da questo momento non può più aprire la console. L’account utente rimane.',
  'administrators.saved': 'I ruoli di {name} sono stati salvati',
  'administrators.removed': '{name} non è più amministratore',
  'administrators.everything': 'Tutto',
  'administrators.permissions': '{count} autorizzazioni',
  'administrators.rolesText': 'Ciò che gli amministratori possono fare. I ruoli integrati non si possono modificare.',
  'administrators.builtIn': 'Integrato',
  'administrators.createRole': 'Crea ruolo',
  'administrators.editRole': 'Modifica ruolo',
  'administrators.roleText': 'Ciò che consente vale qui e per i token della Management API.',
  'administrators.rolePermissions': 'Autorizzazioni',
  'administrators.read': 'Lettura',
  'administrators.write': 'Scrittura',
  'administrators.everythingText': 'Ogni autorizzazione, anche quelle di versioni future.',
  'administrators.deleteRole': 'Elimina ruolo',
  'administrators.deleteRoleText':
    'Un ruolo che hanno degli amministratori non si può eliminare. Non si può annullare.',
}
