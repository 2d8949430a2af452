/** The phrases of `en/application-settings.ts` in Russian. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': 'Оформление',
  'tokens.maxAllowedGrants': 'Устройств на пользователя',
  'tokens.maxAllowedGrants.hint': 'Вход на ещё одном завершает самый давний. Пусто: без ограничения.',
  'tokens.algorithm': 'Алгоритм ID-токенов',
  'tokens.algorithmOfTenant': 'Как у текущего ключа',

  'refused.title': 'Добавить этот адрес?',
  'refused.text':
    'Туда пользователи попадают со своими кодами после входа. Вызвать такую запись может любой, открыв ссылку, поэтому добавляйте только адрес, о котором вы точно знаете, что он ваш.',
  'refused.address': 'Адрес',
  'refused.count': 'Отклонённые запросы',
  'refused.last': 'Последний',
  'refused.from': 'С IP-адреса',

  'signOut.title': 'Back-channel logout',
  'signOut.text': 'Приложение узнаёт, когда сеанс завершается в другом месте.',
  'signOut.uri': 'Back-channel logout URI',
  'signOut.uriHint': 'Получает подписанный logout token запросом POST. Пусто: приложение не уведомляется.',

  'identity.title': 'Идентичность пользователей',
  'identity.text': 'Под каким идентификатором приложение знает пользователей и что сообщают о них ID-токены.',
  'identity.subjectType': 'Идентификатор (sub)',
  'identity.public': 'ID пользователя',
  'identity.pairwise': 'Собственный (pairwise)',
  'identity.change': 'После изменения у каждого пользователя другой идентификатор: приложение никого не узнает.',
  'identity.sector': 'Sector identifier URI',
  'identity.sectorHint':
    'Перечисляет адреса перенаправления всех приложений с общими идентификаторами. Пусто: хост адресов перенаправления.',
  'identity.claims': 'Claims в ID-токенах',
  'identity.scopes': 'Те, что входят в запрошенные scopes',
  'identity.requested': 'Только названные в запросе',
  'identity.userinfo': 'Ответ userinfo',
  'identity.find': 'Найти пользователя',
  'identity.findText':
    'Кого обозначает идентификатор, который сообщило приложение, и под каким оно знает пользователя.',
  'identity.named': 'ID пользователя или sub',
  'identity.unknown': 'Здесь нет пользователя с таким идентификатором.',
  'identity.userId': 'ID пользователя',

  'customData.title': 'Дополнительные данные',
  'customData.text': 'Хранятся для ваших собственных программ. Сервер их никогда не читает.',

  'authentication.title': 'Аутентификация',
  'authentication.text': 'Как приложение подтверждает свою подлинность на token endpoint.',
  'authentication.method': 'Способ',
  'authentication.client_secret_basic': 'Секрет в заголовке (Basic)',
  'authentication.client_secret_post': 'Секрет в теле запроса (POST)',
  'authentication.private_key_jwt': 'Закрытый ключ (JWT)',
  'authentication.tls_client_auth': 'Клиентский сертификат от ЦС (взаимный TLS)',
  'authentication.self_signed_tls_client_auth': 'Самоподписанный клиентский сертификат (взаимный TLS)',
  'authentication.subject': 'Имя в сертификате',
  'authentication.authorities': 'Сертификаты ЦС',
  'authentication.authoritiesHint': 'PEM, один за другим. Никакому другому ЦС для этого приложения не доверяют.',
  'authentication.keys': 'Открытые ключи',
  'authentication.keysHint':
    'JSON Web Key Set с ключами RSA, P-256, P-384 или Ed25519. Закрытые ключи остаются у приложения.',

  'exchange.title': 'Обмен токенов',
  'exchange.text':
    'Сервисы действуют за пользователей или обращаются от их имени к другим API с токеном, полученным в обмен на другой.',
  'exchange.only': 'Только эти',
  'exchange.subjects': 'Принимает токены для',
  'exchange.anyApi': 'Любой API',
  'exchange.targets': 'Получает токены для',
  'exchange.anyTarget': 'Любой API, кроме Management API',

  'exchange.policies': 'Таблица обменов',
  'exchange.policiesHint':
    'Строки в виде массива JSON: решает первая подходящая, а то, к чему не подходит ни одна, отклоняется. Пусто: таблицы нет.',
  'exchange.noList': 'Это не массив JSON.',
  'introspection.title': 'Интроспекция',
  'introspection.text': 'API спрашивает, действителен ли присланный ему токен.',
  'introspection.apis': 'Может проверять токены для',
  'introspection.every': 'Любой API: все токены этого тенанта',

  'look.title': 'На страницах входа',
  'look.text': 'Где пусто, всё выглядит как у остальных приложений.',
  'look.displayName': 'Отображаемое название',
  'look.displayNameHint': 'Что видят пользователи вместо названия.',
  'look.thirdParty':
    'Условия и политика конфиденциальности стороннего приложения показываются там, где у пользователей запрашивается согласие.',
  'look.customCssText': 'CSS после общих стилей всех страниц. Ничего не загружает с других адресов.',
  'look.dark.tenant': 'Как у всех приложений',
  'look.dark.true': 'Включено',
  'look.dark.false': 'Выключено',

  'application.tab.access': 'Доступ',
  'application.tab.consent': 'Согласие',
  'application.tab.roles': 'Роли',

  'access.title': 'Кто может входить',
  'access.openText': 'Приложение доступно каждому пользователю этого тенанта.',
  'access.limitedText': 'Приложение доступно только пользователям, которых допускает один из списков ниже.',
  'access.limit': 'Только допущенные пользователи',
  'access.limitText': 'Проверяется при каждом входе.',
  'access.limitFirst': 'Сначала допустите пользователей, роль или организацию.',
  'access.noUsers': 'Пользователей нет.',
  'access.noRoles': 'Ролей нет.',
  'access.noOrganizations': 'Организаций нет.',
  'access.userText': 'Пользователь сможет пользоваться приложением.',
  'access.roleText': 'Приложением смогут пользоваться все пользователи с этой ролью.',
  'access.organizationText': 'Далее вы выберете, кому из её участников доступно приложение.',
  'access.addOrganization': 'Добавить организацию',
  'access.rolesText':
    'Отметьте роли, чтобы допустить только участников с одной из них; без отметок допускаются все участники.',
  'access.admitAll': 'Допустить всех участников',
  'access.admitRoles': 'Допустить эти роли',
  'access.allMembers': 'Все участники',
  'access.withRoles': 'Участники с ролями: {roles}',
  'access.remove': 'Удалить',

  'machine.rolesText': 'Что может делать приложение, начиная со следующего токена.',
  'machine.noRoles': 'Ролей нет.',
  'machine.addRoleText': 'Приложение получит разрешения роли со следующим токеном.',
  'machine.organizationsText': 'Где приложение — участник и какие у него там роли.',
  'machine.management': 'Management API',
  'machine.managementText': 'Роли дают отдельные его разрешения. Здесь даются все.',
  'machine.admin': 'Полный доступ к Management API',
  'machine.adminText': 'Приложение может читать и изменять всё в этом тенанте.',
  'machine.adminWarning':
    'Любой, у кого есть его секрет, сможет читать и изменять всё в этом тенанте, включая пользователей и секреты.',
  'machine.give': 'Дать полный доступ',

  'consent.title': 'О пользователе',
  'consent.text':
    'Что приложение может запрашивать у пользователей. Остальное в его запросах пропускается; пользователи видят список и дают согласие.',
  'consent.profile': 'Имя, фотография и другие данные профиля',
  'consent.email': 'Адрес электронной почты',
  'consent.phone': 'Номер телефона',
  'consent.address': 'Почтовый адрес',
  'consent.customData': 'Дополнительные данные',
  'consent.identities': 'Связанные аккаунты',
  'consent.roles': 'Роли',
  'consent.organizations': 'Организации',
  'consent.organizationRoles': 'Роли в организациях',
  'consent.sessions': 'Сеансы',
  'consent.trustedDevices': 'Доверенные устройства',
  'consent.ownText': 'Разрешения в организациях, от имени которых пользователь позволяет приложению действовать.',
  'consent.inOrganizations': '{name}, в организациях',

  'create.thirdParty': 'Стороннее приложение',
  'create.thirdPartyText':
    'Принадлежит другой компании: пользователи дают согласие на то, что ему можно. Позже это нельзя изменить.',
  'start.verification': 'Страница, на которой пользователи вводят код',
}
