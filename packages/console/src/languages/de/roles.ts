/** The phrases of `en/roles.ts` in German. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'roles.text': 'Gruppen von Berechtigungen. Wer eine Rolle hat, hat ihre Berechtigungen in allen APIs, die sie nennt.',
  'roles.create': 'Rolle anlegen',
  'roles.createText': 'Die Berechtigungen werden danach gewählt. Für wen sie ist, kann später nicht geändert werden.',
  'roles.created': '{name} wurde angelegt',
  'roles.type': 'Für',
  'roles.forUsers': 'Benutzer',
  'roles.forMachines': 'Maschine zu Maschine',
  'roles.members': 'Mitglieder',
  'roles.default': 'Standardrolle',
  'roles.defaultText': 'Wer von jetzt an als Benutzer angelegt wird, hat sie. Für die vorhandenen ändert sich nichts.',
  'roles.none': 'Noch keine Rollen',
  'roles.noneText': 'Eine für jede Gruppe von Personen oder Diensten anlegen, die dasselbe dürfen.',
  'roles.general': 'Allgemein',
  'roles.tab.permissions': 'Berechtigungen',
  'roles.tab.members': 'Mitglieder',
  'roles.tab.settings': 'Einstellungen',
  'roles.chosen': '{count} von {total}',
  'roles.chooseAll': 'Alle',
  'roles.chooseNone': 'Keine',
  'roles.delete': 'Rolle löschen',
  'roles.deleteText':
    'Wer sie hat, verliert ihre Berechtigungen mit dem nächsten Token. Das kann nicht rückgängig gemacht werden.',
  'roles.noMembers': 'Niemand hat diese Rolle',
  'roles.noMembersText': 'Wer ihre Berechtigungen braucht, bekommt sie hier.',
  'roles.addUser': 'Benutzer hinzufügen',
  'roles.addApplication': 'Anwendung hinzufügen',
  'roles.given': '{name} hat jetzt die Rolle',
  'roles.taken': '{name} hat die Rolle nicht mehr',
}
