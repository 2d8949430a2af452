/** The phrases of `en/roles.ts` in French. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'roles.text': 'Des groupes d’autorisations. Qui a un rôle a ses autorisations, dans toutes les API qu’il nomme.',
  'roles.create': 'Créer un rôle',
  'roles.createText':
    'Vous choisissez ses autorisations ensuite. Ceux qui peuvent l’avoir ne peuvent plus être changés.',
  'roles.created': '{name} a été créé',
  'roles.type': 'Pour',
  'roles.forUsers': 'Utilisateurs',
  'roles.forMachines': 'Machine à machine',
  'roles.members': 'Membres',
  'roles.default': 'Rôle par défaut',
  'roles.defaultText': 'Les utilisateurs créés désormais l’ont. Ceux qui existent restent tels quels.',
  'roles.none': 'Aucun rôle pour l’instant',
  'roles.noneText': 'Créez-en un pour chaque groupe de personnes ou de services qui peuvent faire la même chose.',
  'roles.general': 'Général',
  'roles.tab.permissions': 'Autorisations',
  'roles.tab.members': 'Membres',
  'roles.tab.settings': 'Paramètres',
  'roles.chosen': '{count} sur {total}',
  'roles.chooseAll': 'Toutes',
  'roles.chooseNone': 'Aucune',
  'roles.delete': 'Supprimer le rôle',
  'roles.deleteText': 'Qui l’a perd ses autorisations au prochain jeton. Cette action est irréversible.',
  'roles.noMembers': 'Personne ne l’a',
  'roles.noMembersText': 'Donnez-le à ceux qui ont besoin de ses autorisations.',
  'roles.addUser': 'Ajouter un utilisateur',
  'roles.addApplication': 'Ajouter une application',
  'roles.given': '{name} a désormais le rôle',
  'roles.taken': '{name} n’a plus le rôle',
}
