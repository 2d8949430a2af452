/** The phrases of `en/explain.ts` in French. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    'Pourquoi un jeton a-t-il un scope, ou ne l’a-t-il pas ? La réponse vient du code qui émet les jetons ; rien n’est émis.',
  'explain.question': 'Une connexion de',
  'explain.application': 'Application',
  'explain.choose': 'Choisir…',
  'explain.noneOf': 'Aucune',
  'explain.userText': 'L’utilisateur qui se connecterait.',
  'explain.applicationText': 'L’application qui demanderait le jeton.',
  'explain.scope': 'Scopes',
  'explain.scopeHint': 'Des noms séparés par des espaces. Vide : toutes les autorisations de l’API.',
  'explain.ask': 'Expliquer',
  'explain.none': 'Choisissez un utilisateur et une application',
  'explain.noneText': 'Vous voyez alors quel jeton l’utilisateur y obtiendrait maintenant, et par quels rôles.',
  'explain.jwt': 'Un JWT pour l’API',
  'explain.opaque': 'Un jeton opaque',
  'explain.refused': 'Aucun jeton',
  'explain.audience': 'Audience',
  'explain.userinfo': 'Le point d’accès userinfo',
  'explain.why': 'Pourquoi celui-ci',
  'explain.scopes': 'Scopes demandés',
  'explain.granted': 'Accordé',
  'explain.missing': 'Non accordé',
  'explain.through': 'Rôles qui le donnent :',
  'explain.inOrganization': '{name} (dans l’organisation)',
}
