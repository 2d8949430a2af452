/** The findings of checks in French. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer} est joignable ; clés publiques : {count}',
  'found.provider.oauth2': 'OAuth 2.0 simple, que seule une connexion permet de vérifier',
  'found.provider.certificate': '{entityId} est joignable et a un certificat valide jusqu’au {date}',
  'found.provider.certificate_given': '{entityId} a un certificat valide jusqu’au {date}',
  'found.provider.certificate_ends':
    '{entityId} n’a aucun certificat valide après le {date} : à partir de là, les utilisateurs ne pourront plus s’y connecter',
  'found.provider.failed': 'Les utilisateurs ne peuvent pas s’y connecter : {reason}',
  'found.provider.incomplete': 'Aucun utilisateur n’y est envoyé : la configuration est incomplète',
  'found.address.unreached': 'Injoignable d’ici : {reason}',
  'found.base_url.other_issuer':
    'Mène à un serveur dont l’émetteur est {issuer} ; mettez dans BASE_URL l’adresse que les clients utilisent',
  'found.base_url.reached': 'Mène au serveur, qui a la même URL de base',
  'found.base_url.status': 'Répond {status} à la découverte',
  'found.check.too_late': 'Aucune réponse en {seconds} secondes',
  'found.console.other_site':
    'Est d’un autre site que {baseUrl} : les navigateurs n’y envoient pas la session, et les administrateurs se reconnectent toutes les dix minutes',
  'found.console.other_tenant': 'Ne mène pas à la console de {baseUrl} ; transmettez son hôte au serveur',
  'found.console.reached': 'Mène à la console',
  'found.console.status': 'Répond {status} à /console',
  'found.mail.answers': '{server} répond',
  'found.mail.by_provider':
    'Envoi par {connector}, que seul un message de test permet de vérifier : POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}) : {reason}',
  'found.mail.login': '{server} accepte l’authentification',
  'found.mail.none':
    'Aucun connecteur n’est configuré : aucun e-mail n’est envoyé et les codes par e-mail ne sont pas proposés',
  'found.proxy.address': 'Le serveur voit les requêtes de cette machine comme venant de {ip}',
  'found.proxy.other_database': 'Le serveur à l’URL de base n’écrit pas dans cette base de données',
  'found.proxy.private':
    'Le serveur voit les requêtes comme venant de {ip} ; si c’est un proxy, indiquez-le dans TRUSTED_PROXIES',
  'found.token.answered': 'Une demande de jeton par l’URL de base reçoit une réponse',
  'found.token.no_answer': 'Une demande de jeton par l’URL de base ne reçoit aucune réponse',
  'found.token.status': 'Une demande de jeton par l’URL de base reçoit la réponse {status}',
  'asked.base_url': 'URL de base {url}',
  'asked.connector': 'Connecteur {name} de {tenant}',
  'asked.console': 'Console {url}',
  'asked.mail': 'E-mail de {tenant}',
  'asked.providers': 'Fournisseurs de {tenant}',
  'asked.proxy': 'Proxy',
  'asked.sso_connector': 'Connecteur SSO {name} de {tenant}',
  'asked.token': 'Jeton',
}
