/** The phrases of `en/home.ts` in Russian. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'Здравствуйте, {name}',
  'home.recent': 'Что происходит сейчас',
  'home.allEntries': 'Открыть журнал',

  'first.title': 'Первые шаги',
  'first.text': 'Три шага до первого вошедшего пользователя.',
  'first.done': 'Готово',
  'first.administrator': 'За сервером следит администратор: вы',
  'first.application': 'Зарегистрируйте своё приложение',
  'first.applicationText': 'Сайт, приложение или сервис, пользователи которого входят здесь.',
  'first.signIn': 'Войдите в своё приложение',
  'first.signInText': 'Вставьте код в приложение, запустите его и войдите с новым аккаунтом.',
  'first.signedIn': 'Пользователь вошёл',
  'first.code': 'Код для {name}',
  'first.waiting': 'Ожидание вашего первого входа…',
  'first.finished': 'Всё работает. Пользователи могут входить в ваше приложение.',
  'applications.create': 'Создать приложение',
}
