/** The phrases of `en/roles.ts` in Russian. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': 'Роли',

  'roles.text': 'Группы разрешений. У того, кто имеет роль, есть её разрешения во всех API, которые в ней указаны.',
  'roles.create': 'Создать роль',
  'roles.createText': 'Разрешения вы выберете потом. Для кого она, позже изменить нельзя.',
  'roles.created': 'Создано: {name}',
  'roles.type': 'Для кого',
  'roles.forUsers': 'Пользователи',
  'roles.forMachines': 'Machine-to-machine',
  'roles.members': 'Участники',
  'roles.default': 'Роль по умолчанию',
  'roles.defaultText': 'Её получают все новые пользователи. У существующих ничего не меняется.',
  'roles.none': 'Ролей пока нет',
  'roles.noneText': 'Создайте по одной для каждой группы людей или сервисов, которым можно одно и то же.',
  'roles.general': 'Общие',
  'roles.tab.permissions': 'Разрешения',
  'roles.tab.members': 'Участники',
  'roles.tab.settings': 'Настройки',
  'roles.chosen': '{count} из {total}',
  'roles.chooseAll': 'Все',
  'roles.chooseNone': 'Ни одного',
  'roles.delete': 'Удалить роль',
  'roles.deleteText': 'Те, у кого она есть, потеряют её разрешения со следующим токеном. Отменить это нельзя.',
  'roles.noMembers': 'Роли ни у кого нет',
  'roles.noMembersText': 'Дайте её тем, кому нужны её разрешения.',
  'roles.addUser': 'Добавить пользователя',
  'roles.addApplication': 'Добавить приложение',
  'roles.given': '{name}: роль добавлена',
  'roles.taken': '{name}: роли больше нет',
}
