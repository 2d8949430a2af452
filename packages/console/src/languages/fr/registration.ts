/** The phrases of `en/registration.ts` in French. */
import type { registration as english } from '../en/registration.ts'

export const registration: Readonly<Record<keyof typeof english, string>> = {
  'registration.title': 'Enregistrement',
  'registration.text':
    'Des applications qui s’enregistrent elles-mêmes, comme les clients MCP et celles de partenaires.',
  'registration.who': 'Qui peut s’enregistrer',
  'registration.whoText':
    'Les applications enregistrées sont tierces : les utilisateurs consentent à ce qu’elles demandent. Elles n’obtiennent ni rôles ni accès à la Management API.',
  'registration.mode': 'L’enregistrement est',
  'registration.closed': 'Fermé',
  'registration.initial-access-token': 'Ouvert aux détenteurs d’un jeton',
  'registration.open': 'Ouvert à tous',
  'registration.maxClients': 'Applications enregistrées au maximum',
  'registration.perHour': 'En une heure, sans jeton',
  'registration.unusedDays': 'Supprimer les inutilisées après (jours)',
  'registration.unusedHint': 'Vide : jamais. Est inutilisée celle à laquelle personne ne s’est connecté.',
  'registration.policy': 'Ce qu’elles peuvent être',
  'registration.policyText':
    'Pour qui s’enregistre sans jeton et pour les nouveaux jetons. Ce qui est enregistré reste tel quel.',
  'registration.hosts': 'Hôtes des URI de redirection',
  'registration.hostsHint':
    'Un par ligne : app.example.com, *.example.com, ou com.example.app: pour un schéma privé. Vide : partout.',
  'registration.userScopes': 'Ce qu’elles peuvent demander de l’utilisateur',
  'registration.userScopesHint': 'Un scope par ligne, comme profile ou email.',
  'registration.permissions': 'Permissions qu’elles peuvent demander',
  'registration.permissionsHint': 'Une API par ligne : son indicateur, puis ses permissions, séparées par des espaces.',
  'registration.prefix': 'Devant chaque nom',
  'registration.isNative': 'Applications sur des appareils',
  'registration.isNativeText': 'Téléphones, ordinateurs et lignes de commande, qui écoutent sur l’appareil même.',
  'registration.statement': 'Attestation de logiciel obligatoire',
  'registration.statementText': 'Seulement les logiciels dont répond l’un des émetteurs ci-dessous.',
  'registration.issuers': 'Émetteurs d’attestations de logiciel',
  'registration.issuersHint': 'JSON : une liste d’objets avec issuer, et jwks ou jwksUri.',
  'registration.tokens': 'Jetons d’accès initiaux',
  'registration.tokensText': 'Qui en possède un peut enregistrer des applications, sauf si l’enregistrement est fermé.',
  'registration.noTokens': 'Aucun jeton : personne ne s’enregistre avec un jeton.',
  'registration.addTokenText': 'Il permet ce qui est réglé ci-dessus, tel que c’est maintenant.',
  'registration.uses': 'Applications qui peuvent s’enregistrer avec',
  'registration.used': '{count} sur {most} enregistrées',
  'registration.usedAny': '{count} enregistrées',
  'registration.deleteText': 'Plus personne ne s’enregistre avec lui. Les applications qui l’ont fait restent.',
  'documents.title': 'Clients avec document',
  'documents.text':
    'Des clients que personne n’a enregistrés : chacun publie un document sur lui-même, à l’adresse https qui est son identifiant.',
  'documents.switch': 'Peuvent connecter des utilisateurs',
  'documents.switchText':
    'Les utilisateurs sont interrogés à chaque fois, avec un avertissement. Désactivés, ces clients sont inconnus et ne renouvellent aucun jeton.',
  'documents.scopes': 'Ce que tous peuvent demander aux utilisateurs',
  'applications.registered': 'S’est enregistrée elle-même',
  'authentication.jwksUri': 'Adresse des clés publiques',
  'authentication.jwksUriHint': 'À la place des clés : elles sont récupérées quand il le faut.',
  'identity.idTokenEncryption': 'Chiffrement des jetons d’identité',
  'identity.userinfoEncryption': 'Chiffrement de userinfo',
  'identity.noEncryption': 'Aucun',
  'idToken.title': 'Jetons d’identité',
  'idToken.text': 'Ce qu’ils disent des utilisateurs, à toutes les applications qui ne choisissent pas elles-mêmes.',
  'idToken.extended': 'Claims au-delà des standards',
  'idToken.extendedHint':
    'Un par ligne : custom_data, identities, roles, organizations, organization_data ou organization_roles. Userinfo les a tous.',
}
