/** The phrases of `en/services.ts` in French. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'Envoie les e-mails par {name}.',
  'services.sms': 'Envoie les SMS par {name}.',
  'services.smtp': 'Envoie les e-mails par votre propre serveur de messagerie.',
  'services.httpMail': 'Envoie les e-mails par une requête à un service de n’importe quel fournisseur, ou au vôtre.',
  'services.httpSms': 'Envoie les SMS par une requête à un service de n’importe quel fournisseur, ou au vôtre.',
  'services.account': 'Connecte les utilisateurs avec leur compte {name}.',
  'services.microsoft': 'Connecte les utilisateurs avec leur compte Microsoft, professionnel, scolaire ou personnel.',
  'services.oidc': 'Connecte les utilisateurs chez n’importe quel fournisseur OpenID.',
  'services.oauth2':
    'Connecte les utilisateurs chez n’importe quel fournisseur OAuth 2.0 qui renvoie des données de l’utilisateur.',
  'services.anyIdp': 'Tout fournisseur d’identité compatible {protocol}.',
  'services.entra': 'L’annuaire d’une entreprise chez Microsoft, par {protocol}.',
  'services.company': 'Les comptes d’une entreprise chez {name}.',
}
