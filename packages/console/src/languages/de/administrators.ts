/** The phrases of `en/administrators.ts` in German. */
import type { administrators as english } from '../en/administrators.ts'

export const administrators: Readonly<Record<keyof typeof english, string>> = {
  'administrators.text': 'Benutzer, die diese Konsole öffnen dürfen, und was sie darin dürfen.',
  'administrators.add': 'Administrator hinzufügen',
  'administrators.addText': 'Einen Benutzer wählen. Die Anmeldung hier geschieht mit dem vorhandenen Konto.',
  'administrators.change': 'Rollen ändern',
  'administrators.changeText': 'Die Änderung gilt ab dem nächsten Klick.',
  'administrators.roles': 'Rollen',
  'administrators.you': 'Eigenes Konto',
  'administrators.lastSignIn': 'Letzte Anmeldung: {when}',
  'administrators.remove': 'Administrator entfernen',
  'administrators.removeText': 'Die Konsole lässt sich damit ab sofort nicht mehr öffnen. Das Konto bleibt.',
  'administrators.saved': 'Die Rollen von {name} wurden gespeichert',
  'administrators.removed': '{name} ist kein Administrator mehr',
  'administrators.everything': 'Alles',
  'administrators.permissions': '{count} Berechtigungen',
  'administrators.rolesText': 'Was Administratoren dürfen. Die eingebauten Rollen lassen sich nicht ändern.',
  'administrators.builtIn': 'Eingebaut',
  'administrators.createRole': 'Rolle anlegen',
  'administrators.editRole': 'Rolle bearbeiten',
  'administrators.roleText': 'Was sie erlaubt, gilt hier und für Tokens der Management-API.',
  'administrators.rolePermissions': 'Berechtigungen',
  'administrators.read': 'Lesen',
  'administrators.write': 'Schreiben',
  'administrators.everythingText': 'Jede Berechtigung, auch die späterer Versionen.',
  'administrators.deleteRole': 'Rolle löschen',
  'administrators.deleteRoleText':
    'Eine Rolle, die Administratoren haben, lässt sich nicht löschen. Das kann nicht rückgängig gemacht werden.',
}
