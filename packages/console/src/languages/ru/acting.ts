/** The phrases of `en/acting.ts` in Russian. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'Вы получите токен доступа этого пользователя для одного API. Он действует не более десяти минут, и всё, что с ним сделано, считается сделанным пользователем.',
  'acting.permissions': 'Разрешения',
  'acting.permissionsHint': 'В токене будут те из них, которые есть у пользователя.',
  'acting.begin': 'Действовать от имени пользователя',
  'acting.made':
    'Токен действует до {time} и больше не будет показан. В нём указано, что вы действуете за пользователя. Завершите, как только он станет не нужен.',
  'acting.token': 'Токен доступа',
  'acting.claims': 'Claims',
  'acting.request': 'Запрос к API',
  'acting.noScopes': 'У пользователя нет ни одного из этих разрешений: токен без разрешений.',
  'acting.banner': 'Вы действуете от имени {name} до {time}. Причина: «{reason}».',
  'acting.end': 'Завершить',
  'acting.endLabel': 'Перестать действовать от имени {name}',
  'acting.ended':
    'С этого момента токен отклоняется. API, который проверяет только его подпись, принимает его до {time}.',
}
