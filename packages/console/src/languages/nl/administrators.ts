/** The phrases of `en/administrators.ts` in Dutch. */
import type { administrators as english } from '../en/administrators.ts'

export const administrators: Readonly<Record<keyof typeof english, string>> = {
  'administrators.text': 'Gebruikers die deze console mogen openen, en wat ze erin mogen doen.',
  'administrators.add': 'Beheerder toevoegen',
  'administrators.addText': 'Kies een gebruiker. Die logt hier in met het bestaande account.',
  'administrators.change': 'Rollen wijzigen',
  'administrators.changeText': 'De wijziging geldt vanaf de volgende klik.',
  'administrators.roles': 'Rollen',
  'administrators.you': 'Jij',
  'administrators.lastSignIn': 'Laatst ingelogd: {when}',
  'administrators.remove': 'Beheerder verwijderen',
  'administrators.removeText': 'De console openen kan vanaf nu niet meer. Het gebruikersaccount blijft bestaan.',
  'administrators.saved': 'De rollen van {name} zijn opgeslagen',
  'administrators.removed': '{name} is geen beheerder meer',
  'administrators.everything': 'Alles',
  'administrators.permissions': '{count} rechten',
  'administrators.rolesText': 'Wat beheerders mogen doen. De ingebouwde rollen kunnen niet worden gewijzigd.',
  'administrators.builtIn': 'Ingebouwd',
  'administrators.createRole': 'Rol maken',
  'administrators.editRole': 'Rol bewerken',
  'administrators.roleText': 'Wat de rol toestaat, geldt hier en voor tokens van de Management API.',
  'administrators.rolePermissions': 'Rechten',
  'administrators.read': 'Lezen',
  'administrators.write': 'Schrijven',
  'administrators.everythingText': 'Alle rechten, ook die van latere versies.',
  'administrators.deleteRole': 'Rol verwijderen',
  'administrators.deleteRoleText':
    'Een rol die beheerders hebben, kan niet worden verwijderd. Dit kan niet ongedaan worden gemaakt.',
}
