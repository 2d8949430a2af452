/** The phrases of `en/shell.ts` in French. */
import type { shell as english } from '../en/shell.ts'

export const shell: Readonly<Record<keyof typeof english, string>> = {
  'page.title': '{title} · Countersign',
  'nav.home': 'Accueil',
  'nav.applications': 'Applications',
  'nav.users': 'Utilisateurs',
  'nav.log': 'Journal',
  'nav.organizations': 'Organisations',
  'nav.administrators': 'Administrateurs',

  'shell.navigation': 'Écrans',
  'shell.showNavigation': 'Afficher la navigation',
  'shell.hideNavigation': 'Masquer la navigation',
  'shell.search': 'Rechercher',
  'shell.skip': 'Aller au contenu',

  'menu.account': 'Mon compte',
  'menu.theme': 'Thème',
  'menu.language': 'Langue',
  'menu.signOut': 'Se déconnecter',
  'theme.system': 'Comme le système',
  'theme.light': 'Clair',
  'theme.dark': 'Sombre',

  'session.ended': 'Votre session a pris fin',
  'session.endedText': 'Reconnectez-vous pour continuer. Ce que vous avez saisi sur cette page est conservé.',
  'session.signIn': 'Se connecter',
  'session.proof': 'Confirmez votre identité',
  'session.proofText':
    'Cette modification demande une connexion récente. Ce que vous avez saisi sur cette page est conservé.',
  'session.confirm': 'Continuer',

  'notOpened.title': 'La console ne peut pas s’ouvrir',
  'notOpened.address': 'Elle a été ouverte à une autre adresse que celle du serveur. Elle est ici :',

  'palette.placeholder': 'Aller à un écran, une application ou un utilisateur…',
  'palette.results': 'Résultats',
  'palette.nothing': 'Aucun résultat',
  'palette.screen': 'Écran',
  'palette.application': 'Application',
  'palette.user': 'Utilisateur',

  'action.retry': 'Réessayer',
  'action.cancel': 'Annuler',
  'action.close': 'Fermer',
  'action.save': 'Enregistrer',
  'action.discard': 'Abandonner',
  'action.delete': 'Supprimer',
  'action.undo': 'Rétablir',
  'action.clear': 'Effacer les filtres',
  'action.notNow': 'Plus tard',
  'action.copy': 'Copier : {what}',
  'action.copied': 'Copié',

  'state.loading': 'Chargement',
  'state.offline': 'Le serveur est injoignable. Rien n’a été modifié.',
  'state.unknown':
    'La connexion a été perdue pendant l’enregistrement. On ne sait pas encore s’il a eu lieu ; ce que vous avez saisi est conservé.',
  'state.unknownBack':
    'La connexion a été perdue pendant l’enregistrement. Elle est rétablie, et cette page montre ce qu’a le serveur : si votre modification manque, enregistrez-la à nouveau.',
  'state.unknownOne': 'La connexion a été perdue : on ne sait pas si l’action a eu lieu.',
  'connection.lost': 'Le serveur est injoignable.',
  'connection.lostText': 'Nouvelle tentative automatique. Ce que vous avez saisi est conservé.',
  'state.failed': 'Cela n’a pas fonctionné.',
  'state.request': 'Requête {id}',
  'state.notFound': 'Cette page n’existe pas',
  'state.noPermission': 'Votre rôle ne comprend pas cet écran',
  'state.noMatch': 'Rien ne correspond',
  'state.noMatchText': 'Modifiez ou effacez les filtres.',

  'conflict.title': 'Modifié entre-temps',
  'conflict.text': '{name} a modifié les mêmes champs. Quelles valeurs conserver ?',
  'conflict.textWhen': '{name} a modifié les mêmes champs {when}. Quelles valeurs conserver ?',
  'conflict.other': 'Un autre administrateur',
  'conflict.self': 'Vous (dans une autre fenêtre)',
  'conflict.mine': 'Vous',
  'conflict.takeTheirs': 'Prendre les siennes',
  'conflict.keepMine': 'Garder les miennes',
  'conflict.merged': '{name} a aussi modifié ceci. Les deux modifications sont enregistrées.',
  'conflict.mergedMembers': '{name} a modifié {members} entre-temps. Les deux modifications sont enregistrées.',
  'conflict.notSaved': 'Non enregistré : modifié entre-temps. Ce que vous avez saisi est conservé.',

  'confirm.type': 'Pour confirmer, saisissez',
  'form.required': 'Ce champ est obligatoire.',
  'form.saved': 'Enregistré',

  'table.columns': 'Colonnes',
  'table.pages': 'Pages',
  'table.range': '{from}–{to} sur {total}',
  'table.previous': 'Page précédente',
  'table.next': 'Page suivante',

  'api.show': 'Afficher l’appel d’API',
  'api.title': 'La même chose par l’API',
  'api.text': '$TOKEN est un jeton d’accès pour la Management API.',
  'api.file': 'La même chose en fichier',
  'api.fileText':
    'Les lignes d’un fichier de tenant pour ce que montre cet écran. Ce qu’elles omettent reste tel quel ; les secrets sont des variables d’environnement.',
  'api.shell': 'Dans un shell',

  'create.kind': 'De quoi s’agit-il ?',
  'create.namePlaceholder': 'Portail client',
  'create.redirect': 'URI de redirection',
  'create.redirectHint': 'Où les utilisateurs reviennent après s’être connectés. Vous pourrez en ajouter d’autres.',
}
