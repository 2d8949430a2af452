/** The phrases of `en/administrators.ts` in French. */
import type { administrators as english } from '../en/administrators.ts'

export const administrators: Readonly<Record<keyof typeof english, string>> = {
  'administrators.text': 'Les utilisateurs qui peuvent ouvrir cette console, et ce qu’ils peuvent y faire.',
  'administrators.add': 'Ajouter un administrateur',
  'administrators.addText': 'Choisissez un utilisateur. Il se connecte ici avec son compte existant.',
  'administrators.change': 'Modifier les rôles',
  'administrators.changeText': 'La modification prend effet à sa prochaine action.',
  'administrators.roles': 'Rôles',
  'administrators.you': 'Vous',
  'administrators.lastSignIn': 'Dernière connexion : {when}',
  'administrators.remove': 'Retirer l’administrateur',
  'administrators.removeText':
    'Il ne peut plus ouvrir la console, dès maintenant. Son compte d’utilisateur est conservé.',
  'administrators.saved': 'Les rôles de {name} ont été enregistrés',
  'administrators.removed': '{name} n’est plus administrateur',
  'administrators.everything': 'Tout',
  'administrators.permissions': '{count} autorisations',
  'administrators.rolesText':
    'Ce que peuvent faire les administrateurs. Les rôles intégrés ne peuvent pas être modifiés.',
  'administrators.builtIn': 'Intégré',
  'administrators.createRole': 'Créer un rôle',
  'administrators.editRole': 'Modifier le rôle',
  'administrators.roleText': 'Ce qu’il permet vaut ici et pour les jetons de la Management API.',
  'administrators.rolePermissions': 'Autorisations',
  'administrators.read': 'Lire',
  'administrators.write': 'Écrire',
  'administrators.everythingText': 'Toutes les autorisations, y compris celles des versions à venir.',
  'administrators.deleteRole': 'Supprimer le rôle',
  'administrators.deleteRoleText':
    'Un rôle que des administrateurs ont ne peut pas être supprimé. Cette action est irréversible.',
}
