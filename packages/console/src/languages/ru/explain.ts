/** The phrases of `en/explain.ts` in Russian. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text': 'Почему у токена есть или нет scope? Ответ даёт код, который выдаёт токены; ничего не выдаётся.',
  'explain.question': 'Кто входит',
  'explain.application': 'Приложение',
  'explain.choose': 'Выберите…',
  'explain.noneOf': 'Нет',
  'explain.userText': 'Пользователь, который входил бы.',
  'explain.applicationText': 'Приложение, которое запросило бы токен.',
  'explain.scope': 'Scopes',
  'explain.scopeHint': 'Имена через пробел. Пусто: все разрешения API.',
  'explain.ask': 'Объяснить',
  'explain.none': 'Выберите пользователя и приложение',
  'explain.noneText': 'Вы увидите, какой токен пользователь получил бы там сейчас и благодаря каким ролям.',
  'explain.jwt': 'JWT для API',
  'explain.opaque': 'Непрозрачный токен (opaque)',
  'explain.refused': 'Нет токена',
  'explain.audience': 'Audience',
  'explain.userinfo': 'Userinfo endpoint',
  'explain.why': 'Почему этот',
  'explain.scopes': 'Запрошенные scopes',
  'explain.granted': 'Предоставлено',
  'explain.missing': 'Не предоставлено',
  'explain.through': 'Роли с этим разрешением:',
  'explain.inOrganization': '{name} (в организации)',
}
