/** The phrases of `en/roles.ts` in Dutch. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'roles.text': 'Groepen rechten. Wie een rol heeft, heeft haar rechten, in alle API’s die ze noemt.',
  'roles.create': 'Rol aanmaken',
  'roles.createText': 'Daarna kies je haar rechten. Wie haar kan hebben, kan later niet worden gewijzigd.',
  'roles.created': '{name} is aangemaakt',
  'roles.type': 'Voor',
  'roles.forUsers': 'Gebruikers',
  'roles.forMachines': 'Machine naar machine',
  'roles.members': 'Leden',
  'roles.default': 'Standaardrol',
  'roles.defaultText': 'Gebruikers die vanaf nu worden aangemaakt, hebben haar. Bestaande blijven zoals ze zijn.',
  'roles.none': 'Nog geen rollen',
  'roles.noneText': 'Maak er een voor elke groep mensen of diensten die hetzelfde mogen.',
  'roles.general': 'Algemeen',
  'roles.tab.permissions': 'Rechten',
  'roles.tab.members': 'Leden',
  'roles.tab.settings': 'Instellingen',
  'roles.chosen': '{count} van {total}',
  'roles.chooseAll': 'Alle',
  'roles.chooseNone': 'Geen',
  'roles.delete': 'Rol verwijderen',
  'roles.deleteText':
    'Wie haar heeft, verliest haar rechten met het volgende token. Dit kan niet ongedaan worden gemaakt.',
  'roles.noMembers': 'Niemand heeft haar',
  'roles.noMembersText': 'Geef haar aan wie haar rechten nodig heeft.',
  'roles.addUser': 'Gebruiker toevoegen',
  'roles.addApplication': 'Applicatie toevoegen',
  'roles.given': '{name} heeft de rol nu',
  'roles.taken': '{name} heeft de rol niet meer',
}
