/** The phrases of `en/applications.ts` in French. */
import type { applications as english } from '../en/applications.ts'

export const applications: Readonly<Record<keyof typeof english, string>> = {
  'applications.text': 'Les sites web, applications et services qui obtiennent des jetons de ce serveur.',
  'applications.created.notice': '{name} a été créée',
  'applications.search': 'Rechercher par nom ou identifiant',
  'applications.name': 'Nom',
  'applications.description': 'Description',
  'applications.type': 'Type',
  'applications.allTypes': 'Tous les types',
  'applications.id': 'Client ID',
  'applications.created': 'Création',
  'applications.thirdParty': 'Tierce',
  'applications.none': 'Aucune application pour l’instant',
  'applications.noneText':
    'Enregistrez la première pour que des utilisateurs se connectent ou qu’un service obtienne des jetons.',

  'kind.spa': 'Application monopage',
  'kind.spaText': 'S’exécute dans le navigateur : React, Vue, Angular',
  'kind.web': 'Application web',
  'kind.webText': 'S’exécute sur un serveur : Next.js, Express, Django, Go',
  'kind.native': 'Application native',
  'kind.nativeText': 'Sur téléphone ou ordinateur : iOS, Android, Electron',
  'kind.device': 'Appareil',
  'kind.deviceText': 'Sans navigateur : téléviseurs, consoles, lignes de commande',
  'kind.machine': 'Machine à machine',
  'kind.machineText': 'Un service qui agit pour lui-même, sans utilisateur',
  'kind.saml': 'Application SAML',

  'application.tab.start': 'Démarrage rapide',
  'application.tab.settings': 'Paramètres',
  'application.tab.secrets': 'Identifiants',
  'application.tab.tokens': 'Jetons',
  'application.profile': 'Général',
  'application.delete': 'Supprimer l’application',
  'application.deleteText':
    'Ses secrets cessent de fonctionner aussitôt, et ses utilisateurs ne peuvent plus s’y connecter. Cette action est irréversible.',
  'application.deleted': '{name} a été supprimée',

  'start.code': 'À ajouter à votre code',
  'start.codeText': 'Avec les identifiants de cette application, prêt à coller.',
  'start.framework': 'Framework',
  'start.install': 'Installer',
  'start.facts': 'Pour toute bibliothèque',
  'start.clientId': 'Client ID',
  'start.issuer': 'Issuer',
  'start.discovery': 'Document de découverte',

  'addresses.title': 'Adresses',
  'addresses.text': 'Seules celles-ci sont acceptées, comparées caractère par caractère.',
  'addresses.redirect': 'URI de redirection',
  'addresses.redirectHint': 'Où les utilisateurs reviennent après s’être connectés.',
  'addresses.logout': 'URI de redirection après déconnexion',
  'addresses.logoutHint': 'Où les utilisateurs reviennent après s’être déconnectés.',
  'addresses.cors': 'Origines autorisées',
  'addresses.corsHint':
    'Les pages d’ailleurs dont les scripts peuvent appeler ce serveur. Celles des URI de redirection le peuvent de toute façon.',
  'addresses.wildcards': 'Caractères génériques dans les URI de redirection',
  'addresses.wildcardsText':
    'Un * remplace une partie d’un label d’hôte ou d’un segment de chemin, comme dans https://pr-*.app.example.com. Dangereux : quiconque peut servir une page à une adresse correspondante peut obtenir des jetons de vos utilisateurs.',
  'addresses.add': 'Ajouter une adresse',
  'addresses.remove': 'Retirer {address}',
  'addresses.refused': 'Refusées récemment, faute d’être enregistrées',
  'addresses.addRefused': 'Ajouter cette adresse',

  'secrets.title': 'Secrets du client',
  'secrets.text':
    'Ajoutez-en un second, faites-le utiliser par votre application, puis supprimez le premier : il y a toujours un secret valable.',
  'secrets.add': 'Ajouter un secret',
  'secrets.addText': 'Il fonctionne aussitôt, à côté de ceux qui existent.',
  'secrets.added': 'Le secret a été ajouté',
  'secrets.life': 'Expiration',
  'secrets.forever': 'Jamais',
  'secrets.days': 'Après {days} jours',
  'secrets.show': 'Afficher le secret',
  'secrets.hide': 'Masquer le secret',
  'secrets.rename': 'Renommer {name}',
  'secrets.renameText': 'Les applications ne sont pas concernées : elles ne connaissent que sa valeur.',
  'secrets.delete': 'Supprimer {name}',
  'secrets.deleteText':
    'Il cesse aussitôt de fonctionner. Les applications qui l’utilisent encore ne peuvent plus obtenir de jetons.',
  'secrets.deleted': 'Le secret a été supprimé',
  'secrets.created': 'Ajouté {when}',
  'secrets.expires': 'expire {when}',
  'secrets.expired': 'Expiré',
  'secrets.none': 'Aucun secret',
  'secrets.noneText': 'Sans secret, cette application ne peut s’authentifier qu’avec une clé.',

  'security.tenant.title': 'Sécurité des applications',
  'security.tenant.text':
    'S’applique à toute application sans profil propre. La console et les applications SAML sont exemptées.',
  'security.title': 'Sécurité',
  'security.text': 'Ce que l’application doit faire pour que personne ne puisse agir en son nom.',
  'security.profile': 'Profil de sécurité',
  'security.ofTenant': 'Celui du locataire',
  'security.none': 'Aucun',
  'security.fapi2': 'FAPI 2.0',
  'security.fapi2.changes':
    'Elle s’authentifie avec private_key_jwt, transmet ses requêtes à l’avance et utilise PKCE ; ses jetons d’accès sont liés à sa clé et ses jetons d’actualisation ne sont pas renouvelés. Ses clés sont PS256, ES256 ou EdDSA, ses URI de redirection https.',
  'security.requirePushedAuthorizationRequests': 'Exiger des requêtes transmises à l’avance',
  'security.requirePushedAuthorizationRequests.hint':
    'Refuse les requêtes d’autorisation qui n’ont pas été transmises d’abord (RFC 9126).',
  'security.requireSignedRequestObject': 'Exiger des requêtes signées',
  'security.requireSignedRequestObject.hint':
    'Refuse les requêtes d’autorisation qui ne sont pas signées avec une clé de l’application (RFC 9101).',
  'security.requestObjectSigningAlg': 'Algorithme de ses requêtes',
  'security.authorizationSignedResponseAlg': 'Algorithme des réponses JWT',
  'security.anyKey': 'Celui de l’une de ses clés',

  'tokens.title': 'Jetons',
  'tokens.idTokenTtl': 'Durée de vie des jetons d’identité',
  'tokens.idTokenTtl.hint': 'En secondes. Vide : une heure.',
  'tokens.refreshTokenTtlInDays': 'Durée de vie des jetons d’actualisation',
  'tokens.refreshTokenTtlInDays.hint': 'En jours, 180 au plus. Vide : 14 jours.',
  'tokens.alwaysIssueRefreshToken': 'Toujours émettre un jeton d’actualisation',
  'tokens.alwaysIssueRefreshToken.hint': 'Même quand l’application ne demande pas offline_access.',
  'tokens.rotateRefreshToken': 'Renouveler les jetons d’actualisation',
  'tokens.rotateRefreshToken.hint':
    'Chaque actualisation en donne un nouveau ; un jeton utilisé deux fois met fin à l’accès.',
  'tokens.dpop': 'Jetons liés à une clé (DPoP)',
  'tokens.dpop.text':
    'Avec DPoP, l’application prouve à chaque requête qu’elle possède la clé de ses jetons. Sans cette clé, un jeton volé est inutilisable.',
  'tokens.dpopBoundAccessTokens': 'Exiger DPoP',
  'tokens.dpopBoundAccessTokens.hint': 'Refuse les demandes de jeton sans preuve.',
  'tokens.dpopNonceRequired': 'Exiger un nonce',
  'tokens.dpopNonceRequired.hint':
    'Les preuves doivent contenir une valeur récente de ce serveur : aucune ne peut être préparée à l’avance.',
  'tokens.requirePkce': 'Exiger PKCE',
  'tokens.requirePkce.hint': 'Refuse les demandes d’autorisation sans code challenge.',
  'tokens.allowTokenExchange': 'Autoriser l’échange de jetons',
  'tokens.allowTokenExchange.hint':
    'Elle peut échanger des jetons contre d’autres, pour agir au nom d’utilisateurs ou appeler d’autres API.',
}
