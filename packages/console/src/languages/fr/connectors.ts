/** The phrases of `en/connectors.ts` in French. */
import type { connectors as english } from '../en/connectors.ts'

export const connectors: Readonly<Record<keyof typeof english, string>> = {
  'connectors.text':
    'Les services qui transmettent des messages aux utilisateurs, et les fournisseurs chez qui ils se connectent.',
  'connectors.email': 'E-mail',
  'connectors.emailText': 'Transmet les codes, les liens et les avis par e-mail.',
  'connectors.noEmail': 'Non configuré : les utilisateurs ne peuvent recevoir ni codes ni liens par e-mail.',
  'connectors.sms': 'SMS',
  'connectors.smsText': 'Transmet les codes aux téléphones.',
  'connectors.noSms':
    'Non configuré : les utilisateurs ne peuvent pas se connecter avec un numéro de téléphone et un code.',
  'connectors.social': 'Connexion sociale',
  'connectors.socialText': 'Les utilisateurs se connectent avec le compte qu’ils ont ailleurs.',
  'connectors.noSocial': 'Aucun pour l’instant.',
  'connectors.sso': 'SSO d’entreprise',
  'connectors.ssoText':
    'Les utilisateurs dont l’adresse est au domaine d’une entreprise se connectent chez son fournisseur d’identité.',
  'connectors.noSso': 'Aucun pour l’instant.',
  'connectors.ssoOff':
    'Le SSO d’entreprise est désactivé : aucun utilisateur n’est envoyé à ces fournisseurs d’identité. Ouvrez-en un pour l’activer.',
  'connectors.setUp': 'Configurer',
  'connectors.replace': 'Remplacer',
  'connectors.addSocial': 'Ajouter un fournisseur',
  'connectors.addSso': 'Ajouter une entreprise',
  'connectors.notOffered': 'Non proposé',
  'connectors.noDomains': '{provider} · aucun domaine',
  'connectors.incomplete': 'Incomplète',
  'connectors.complete': 'Complète',
  'connectors.incompleteText':
    'La configuration est incomplète : aucun utilisateur n’est envoyé à ce fournisseur d’identité tant qu’elle l’est.',
  'connectors.choose': 'Choisissez le service.',
  'connectors.create': 'Créer le connecteur',
  'connectors.created': '{name} a été créé',
  'connectors.replaces': 'Il remplace {name} dès sa création.',
  'connectors.settings': 'Configuration',
  'connectors.optional': 'Autres paramètres',
  'connectors.default': 'Par défaut',
  'connectors.yes': 'Oui',
  'connectors.no': 'Non',
  'connectors.noJson': 'Ce JSON n’est pas valide.',
  'connectors.target': 'Identifiant du fournisseur',
  'connectors.targetHint':
    'Les identités des utilisateurs sont conservées sous ce nom. Il ne peut plus être modifié ensuite.',
  'connectors.nameHint': 'Comme l’indique le bouton de la page de connexion.',
  'connectors.syncProfile': 'Mettre à jour le profil à chaque connexion',
  'connectors.syncProfile.hint':
    'Le nom et la photo suivent le fournisseur. Désactivé : ils ne sont repris qu’à l’inscription.',
  'connectors.enableTokenStorage': 'Conserver les jetons du fournisseur',
  'connectors.enableTokenStorage.hint':
    'Chiffrés, pour que les applications appellent son API au nom de l’utilisateur. Désactivé : les jetons conservés sont supprimés.',
  'connectors.setup': 'Mise en place',
  'connectors.callback': 'URI de redirection (adresse de rappel)',
  'connectors.callbackHint': 'Enregistrez-le chez le fournisseur, exactement tel quel.',
  'connectors.callbackLater':
    'L’URI de redirection à enregistrer chez le fournisseur s’affiche ici, prête à copier, dès que le connecteur est créé.',
  'connectors.offered': 'Proposer sur la page de connexion',
  'connectors.offeredText': 'Les utilisateurs voient un bouton pour ce fournisseur.',
  'connectors.check': 'Vérifier le fournisseur',
  'connectors.checked': 'La première connexion montre si le fournisseur connaît le client et l’URI de redirection.',
  'connectors.check.ok': 'Les utilisateurs peuvent y être envoyés',
  'connectors.check.warning': 'Les utilisateurs peuvent y être envoyés, mais bientôt plus',
  'connectors.check.problem': 'Les utilisateurs ne peuvent pas s’y connecter',
  'connectors.ssoSetupText': 'Ce que doit savoir le fournisseur d’identité de l’entreprise.',
  'connectors.ssoLater':
    'Le nom et les domaines suffisent pour l’instant : après la création, vous obtenez les adresses que demande le fournisseur d’identité, et vous complétez la configuration avec ce qu’il vous donne.',
  'connectors.entityId': 'Entity ID, et adresse des métadonnées',
  'connectors.acs': 'Assertion consumer service (reply URL)',
  'connectors.domains': 'Domaines d’e-mail',
  'connectors.domainsHint':
    'Un par ligne. Les utilisateurs de ces adresses se connectent dans l’entreprise, et non par mot de passe ou code.',
  'connectors.ssoSwitch': 'SSO d’entreprise pour ce tenant',
  'connectors.ssoSwitchText': 'Désactivé : aucun utilisateur n’est envoyé au fournisseur d’identité d’une entreprise.',
  'connectors.delete': 'Supprimer le connecteur',
  'connectors.deleteText': 'Les messages de ce type ne sont plus envoyés. Cette action est irréversible.',
  'connectors.deleteSocialText':
    'Les utilisateurs ne peuvent plus se connecter avec ce fournisseur. Cette action est irréversible.',
  'connectors.deleteSsoText':
    'Ses utilisateurs sont conservés, perdent leur identité dans l’entreprise et doivent se connecter autrement. Cette action est irréversible.',
  'connectors.deleted': '{name} a été supprimé',
  'connectors.test': 'Message de test',
  'connectors.testText': 'Envoyé avec la configuration saisie ci-dessus, même avant son enregistrement.',
  'connectors.testEmail': 'Envoyer à l’adresse e-mail',
  'connectors.testPhone': 'Envoyer au numéro de téléphone',
  'connectors.send': 'Envoyer le message de test',
  'connectors.tested': 'Le message a été accepté. Il devrait arriver dans un instant.',
  'connectors.advice.address':
    'Vérifiez le nom d’hôte. Une adresse qui n’est pas publique doit figurer dans OUTBOUND_ALLOW du serveur.',
  'connectors.advice.plain':
    'Le mot de passe traverserait le réseau sans chiffrement. Utilisez le port pour TLS (465 avec « secure », ou 587), ou un autre serveur.',
  'connectors.advice.connect':
    'Vérifiez l’hôte et le port, et si un pare-feu entre ce serveur et le serveur de messagerie ou le fournisseur laisse passer la connexion.',
  'connectors.advice.tls':
    'La connexion chiffrée a échoué. Vérifiez si le port parle TLS d’emblée (« secure ») ou STARTTLS, et si le certificat est valable pour l’hôte.',
  'connectors.advice.login':
    'Les identifiants ont été refusés. Vérifiez le nom d’utilisateur et le mot de passe, ou la clé et ses autorisations.',
  'connectors.advice.sender':
    'L’expéditeur a été refusé. Il doit être de ceux que le fournisseur a validés pour ce compte.',
  'connectors.advice.recipient':
    'Le destinataire a été refusé. Avec un compte d’essai, les fournisseurs n’envoient qu’aux destinataires que vous y avez validés.',
  'connectors.advice.message': 'Le message a été refusé. Vérifiez les modèles.',
  'connectors.advice.limit': 'La limite du compte est atteinte. Attendez, ou relevez-la chez le fournisseur.',
  'connectors.advice.fault': 'Le fournisseur a une panne. Réessayez plus tard, ou consultez sa page d’état.',
  'connectors.advice.protocol':
    'Ce qui a répondu ne parle pas le protocole attendu. Vérifiez le port, et que l’adresse est bien celle du service.',
}
