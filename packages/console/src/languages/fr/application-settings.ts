/** The phrases of `en/application-settings.ts` in French. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': 'Identité visuelle',
  'tokens.maxAllowedGrants': 'Appareils par utilisateur',
  'tokens.maxAllowedGrants.hint':
    'Une connexion sur un appareil de plus déconnecte le plus ancien. Vide : sans limite.',
  'tokens.algorithm': 'Algorithme des jetons d’identité',
  'tokens.algorithmOfTenant': 'Celui de la clé actuelle',

  'refused.title': 'Ajouter cette adresse ?',
  'refused.text':
    'Les utilisateurs y sont envoyés avec leurs codes après la connexion. N’importe qui peut provoquer cette entrée en ouvrant un lien : n’ajoutez qu’une adresse dont vous savez qu’elle est la vôtre.',
  'refused.address': 'Adresse',
  'refused.count': 'Requêtes refusées',
  'refused.last': 'La dernière',
  'refused.from': 'Depuis l’adresse IP',

  'signOut.title': 'Déconnexion back-channel',
  'signOut.text': 'L’application est prévenue quand une session prend fin ailleurs.',
  'signOut.uri': 'URI de déconnexion back-channel',
  'signOut.uriHint': 'Reçoit par POST un jeton de déconnexion signé. Vide : elle n’est pas prévenue.',

  'identity.title': 'Identité des utilisateurs',
  'identity.text':
    'Par quel identifiant l’application connaît les utilisateurs, et ce que les jetons d’identité disent d’eux.',
  'identity.subjectType': 'Identifiant (sub)',
  'identity.public': 'L’ID de l’utilisateur',
  'identity.pairwise': 'Un identifiant propre (pairwise)',
  'identity.change':
    'Un changement donne un autre identifiant à chaque utilisateur : l’application ne reconnaît plus personne.',
  'identity.sector': 'URI d’identifiant de secteur',
  'identity.sectorHint':
    'Liste les URI de redirection de toutes les applications qui partagent des identifiants. Vide : l’hôte des URI de redirection.',
  'identity.claims': 'Claims des jetons d’identité',
  'identity.scopes': 'Ceux des scopes demandés',
  'identity.requested': 'Seulement ceux que la demande nomme',
  'identity.userinfo': 'Réponse de userinfo',
  'identity.find': 'Trouver un utilisateur',
  'identity.findText':
    'Qui désigne un identifiant signalé par l’application, et par lequel elle connaît un utilisateur.',
  'identity.named': 'ID d’utilisateur ou sub',
  'identity.unknown': 'Aucun utilisateur de ce tenant n’a cet identifiant.',
  'identity.userId': 'ID d’utilisateur',

  'customData.title': 'Données personnalisées',
  'customData.text': 'Conservées pour vos propres programmes. Le serveur ne les lit jamais.',

  'authentication.title': 'Authentification',
  'authentication.text': 'Comment l’application prouve son identité au point d’accès des jetons.',
  'authentication.method': 'Méthode',
  'authentication.client_secret_basic': 'Secret, dans un en-tête (Basic)',
  'authentication.client_secret_post': 'Secret, dans le corps (POST)',
  'authentication.private_key_jwt': 'Clé privée (JWT)',
  'authentication.tls_client_auth': 'Certificat client d’une AC (TLS mutuel)',
  'authentication.self_signed_tls_client_auth': 'Certificat client auto-signé (TLS mutuel)',
  'authentication.subject': 'Nom dans le certificat',
  'authentication.authorities': 'Certificats des AC',
  'authentication.authoritiesHint': 'PEM, l’un après l’autre. Aucune autre AC n’est approuvée pour cette application.',
  'authentication.keys': 'Clés publiques',
  'authentication.keysHint':
    'Un JSON Web Key Set avec des clés RSA, P-256, P-384 ou Ed25519. Les clés privées restent dans l’application.',

  'exchange.title': 'Échange de jetons',
  'exchange.text':
    'Des services agissent au nom d’utilisateurs, ou appellent d’autres API pour eux, avec un jeton obtenu en échange d’un autre.',
  'exchange.only': 'Seulement celles-ci',
  'exchange.subjects': 'Accepte des jetons pour',
  'exchange.anyApi': 'Toute API',
  'exchange.targets': 'Obtient des jetons pour',
  'exchange.anyTarget': 'Toute API sauf la Management API',

  'exchange.policies': 'Table des échanges',
  'introspection.title': 'Introspection',
  'introspection.text': 'Une API demande si un jeton qu’elle a reçu est valide.',
  'introspection.apis': 'Peut introspecter les jetons pour',
  'introspection.every': 'Toutes les API : tous les jetons de ce tenant',

  'look.title': 'Sur les pages de connexion',
  'look.text': 'Ce qui est vide a l’aspect commun à toutes les applications.',
  'look.displayName': 'Nom affiché',
  'look.displayNameHint': 'Ce que voient les utilisateurs à la place du nom.',
  'look.thirdParty':
    'Les conditions et la politique de confidentialité d’un tiers s’affichent là où le consentement est demandé.',
  'look.customCssText': 'CSS placé après celui de toutes les pages. Il ne charge rien depuis d’autres adresses.',
  'look.dark.tenant': 'Comme pour toutes les applications',
  'look.dark.true': 'Activé',
  'look.dark.false': 'Désactivé',

  'application.tab.access': 'Accès',
  'application.tab.consent': 'Consentement',
  'application.tab.roles': 'Rôles',

  'access.title': 'Qui peut se connecter',
  'access.openText': 'Tous les utilisateurs de ce tenant peuvent utiliser l’application.',
  'access.limitedText': 'Seuls les utilisateurs admis par l’une des listes ci-dessous peuvent utiliser l’application.',
  'access.limit': 'Seulement les utilisateurs admis',
  'access.limitText': 'Vérifié à chaque connexion.',
  'access.limitFirst': 'Admettez d’abord des utilisateurs, un rôle ou une organisation.',
  'access.noUsers': 'Aucun utilisateur.',
  'access.noRoles': 'Aucun rôle.',
  'access.noOrganizations': 'Aucune organisation.',
  'access.userText': 'L’utilisateur peut utiliser l’application.',
  'access.roleText': 'Tous les utilisateurs qui ont ce rôle peuvent utiliser l’application.',
  'access.organizationText': 'Vous choisissez ensuite lesquels de ses membres peuvent utiliser l’application.',
  'access.addOrganization': 'Ajouter une organisation',
  'access.rolesText':
    'Cochez des rôles pour n’admettre que les membres qui en ont un ; sans rôle, tous les membres sont admis.',
  'access.admitAll': 'Admettre tous les membres',
  'access.admitRoles': 'Admettre ces rôles',
  'access.allMembers': 'Tous les membres',
  'access.withRoles': 'Membres avec : {roles}',
  'access.remove': 'Retirer',

  'machine.rolesText': 'Ce que l’application peut faire, à partir de son prochain jeton.',
  'machine.noRoles': 'Aucun rôle.',
  'machine.addRoleText': 'L’application obtient les autorisations du rôle avec son prochain jeton.',
  'machine.organizationsText': 'Où l’application est membre, avec les rôles qu’elle y a.',
  'machine.management': 'Management API',
  'machine.managementText': 'Les rôles en donnent certaines autorisations. Ceci les donne toutes.',
  'machine.admin': 'Accès complet à la Management API',
  'machine.adminText': 'Elle peut lire et modifier tout ce tenant.',
  'machine.adminWarning':
    'Quiconque détient son secret peut alors lire et modifier tout ce tenant, y compris les utilisateurs et les secrets.',
  'machine.give': 'Donner l’accès complet',

  'consent.title': 'Sur l’utilisateur',
  'consent.text':
    'Ce que l’application peut demander aux utilisateurs. Le reste de ses demandes est ignoré ; les utilisateurs voient ce qui est demandé et l’acceptent.',
  'consent.profile': 'Nom, photo et autres données du profil',
  'consent.email': 'Adresse e-mail',
  'consent.phone': 'Numéro de téléphone',
  'consent.address': 'Adresse postale',
  'consent.customData': 'Données personnalisées',
  'consent.identities': 'Comptes associés',
  'consent.roles': 'Rôles',
  'consent.organizations': 'Organisations',
  'consent.organizationRoles': 'Rôles dans les organisations',
  'consent.sessions': 'Sessions',
  'consent.trustedDevices': 'Appareils de confiance',
  'consent.ownText': 'Autorisations des organisations pour lesquelles l’utilisateur laisse l’application agir.',
  'consent.inOrganizations': '{name}, dans les organisations',

  'create.thirdParty': 'Application tierce',
  'create.thirdPartyText':
    'Exploitée par une autre entreprise : les utilisateurs donnent leur consentement à ce qu’elle peut faire. Ne peut plus être modifié ensuite.',
  'start.verification': 'Page où les utilisateurs saisissent le code',
}
