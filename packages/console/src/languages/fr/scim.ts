/** The phrases of `en/scim.ts` in French. */
import type { scim as english } from '../en/scim.ts'

export const scim: Readonly<Record<keyof typeof english, string>> = {
  'scim.text':
    'Par eux, des fournisseurs d’identité comme Entra ID ou Okta créent, modifient et désactivent des utilisateurs.',
  'scim.create': 'Créer un annuaire',
  'scim.createText':
    'Il provisionne les utilisateurs du tenant. Pour les membres d’une seule organisation, créez-le dans celle-ci.',
  'scim.createOrganizationText': 'Il provisionne les membres de cette organisation.',
  'scim.none': 'Aucun annuaire pour l’instant',
  'scim.noneText': 'Créez-en un pour chaque fournisseur d’identité qui doit provisionner des utilisateurs.',
  'scim.noDirectories': 'Aucun annuaire.',
  'scim.organizationText': 'Une entreprise provisionne ses propres membres depuis son fournisseur d’identité.',
  'scim.provisions': 'Provisionne',
  'scim.provisionsText': 'Ses utilisateurs deviennent membres de cette organisation.',
  'scim.tenant': 'Utilisateurs du tenant',
  'scim.state': 'État',
  'scim.enabled': 'Activé',
  'scim.disabled': 'Désactivé',
  'scim.tab.connect': 'Relier',
  'scim.tab.groups': 'Groupes',
  'scim.tab.activity': 'Activité',
  'scim.tab.settings': 'Paramètres',
  'scim.address': 'Adresse',
  'scim.addressText': 'Saisissez-la chez le fournisseur d’identité, avec un jeton ci-dessous.',
  'scim.baseUrl': 'URL de base SCIM (URL du tenant)',
  'scim.domains': 'Domaines d’e-mail',
  'scim.domainsHint':
    'Un par ligne. Les adresses de ces domaines sont considérées comme vérifiées quand l’annuaire les envoie.',
  'scim.isEnabled': 'Activé',
  'scim.isEnabled.hint': 'Désactivé, toute requête du fournisseur d’identité est refusée.',
  'scim.linksUsers': 'Associer les utilisateurs existants',
  'scim.linksUsers.hint':
    'Les utilisateurs qui ont une adresse vérifiée à l’un des domaines sont repris au lieu d’être refusés.',
  'scim.restrictsDomains': 'Seulement ces domaines',
  'scim.restrictsDomains.hint': 'Les utilisateurs qui ont une adresse à un autre domaine sont refusés.',
  'scim.deletesUsers': 'Supprimer les comptes',
  'scim.deletesUsers.hint':
    'Une suppression là-bas supprime le compte ici. Sinon, le compte est suspendu, ou quitte seulement l’organisation.',
  'scim.delete': 'Supprimer l’annuaire',
  'scim.deleteText':
    'Avec ses jetons et ses groupes. Ses utilisateurs restent tels quels. Cette action est irréversible.',
  'scim.noActivity': 'Le fournisseur d’identité n’a pas encore appelé.',
  'scim.allActivity': 'Afficher dans le journal',

  'scimTokens.title': 'Jetons',
  'scimTokens.text':
    'Pour en remplacer un, créez-en un autre, saisissez-le chez le fournisseur d’identité, puis supprimez le premier.',
  'scimTokens.none': 'Aucun jeton : le fournisseur d’identité ne peut pas appeler.',
  'scimTokens.add': 'Créer un jeton',
  'scimTokens.addText': 'Il fonctionne aussitôt, à côté de ceux qui existent.',
  'scimTokens.created': 'Copiez le jeton maintenant',
  'scimTokens.once': 'Il n’est affiché que cette fois-ci.',
  'scimTokens.kept': 'Je l’ai copié',
  'scimTokens.delete': 'Supprimer le jeton',
  'scimTokens.deleteText': 'S’il l’utilise encore, le fournisseur d’identité est refusé dès sa prochaine requête.',

  'scimGroups.members': 'Membres : {count}',
  'scimGroups.rolesText':
    'Les membres du groupe obtiennent ces rôles, et perdent ceux qu’aucun autre groupe ne leur donne.',
  'scimGroups.none': 'Aucun groupe pour l’instant',
  'scimGroups.noneText':
    'Les groupes apparaissent quand le fournisseur d’identité les envoie. Vous choisissez ici les rôles de chacun.',
}
