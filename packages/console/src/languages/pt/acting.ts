/** The phrases of `en/acting.ts` in Portuguese. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'Você recebe um token de acesso como este usuário para uma API. Ele vale no máximo dez minutos, e o que for feito com ele conta como feito pelo usuário.',
  'acting.permissions': 'Permissões',
  'acting.permissionsHint': 'O token tem as que o usuário tem.',
  'acting.begin': 'Agir como usuário',
  'acting.made':
    'O token funciona até {time} e não é mostrado de novo. Ele diz que você age pelo usuário. Encerre-o assim que terminar.',
  'acting.token': 'Token de acesso',
  'acting.claims': 'Claims',
  'acting.request': 'Requisição à API',
  'acting.noScopes': 'O usuário não tem nenhuma destas permissões: o token não tem nenhuma.',
  'acting.banner': 'Você age como {name} por “{reason}” até {time}.',
  'acting.end': 'Encerrar',
  'acting.endLabel': 'Deixar de agir como {name}',
  'acting.ended': 'O token é recusado a partir de agora. Uma API que só verifica a assinatura o aceita até {time}.',
}
