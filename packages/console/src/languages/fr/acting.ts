/** The phrases of `en/acting.ts` in French. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'Vous obtenez un jeton d’accès comme cet utilisateur pour une API. Il vit dix minutes au plus, et ce qui est fait avec lui compte comme fait par l’utilisateur.',
  'acting.permissions': 'Autorisations',
  'acting.permissionsHint': 'Le jeton a celles que possède l’utilisateur.',
  'acting.begin': 'Agir comme l’utilisateur',
  'acting.made':
    'Le jeton fonctionne jusqu’à {time} et n’est plus affiché. Il dit que vous agissez au nom de l’utilisateur. Mettez-y fin dès que vous avez terminé.',
  'acting.token': 'Jeton d’accès',
  'acting.claims': 'Claims',
  'acting.request': 'Requête à l’API',
  'acting.noScopes': 'L’utilisateur n’a aucune de ces autorisations : le jeton n’en a pas.',
  'acting.banner': 'Vous agissez en tant que {name} pour « {reason} » jusqu’à {time}.',
  'acting.end': 'Terminer',
  'acting.endLabel': 'Ne plus agir en tant que {name}',
  'acting.ended': 'Le jeton est désormais refusé. Une API qui ne vérifie que sa signature l’accepte jusqu’à {time}.',
}
