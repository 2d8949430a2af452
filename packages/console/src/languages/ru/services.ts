/** The phrases of `en/services.ts` in Russian. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'Отправляет почту через {name}.',
  'services.sms': 'Отправляет SMS через {name}.',
  'services.smtp': 'Отправляет почту через ваш собственный почтовый сервер.',
  'services.httpMail': 'Отправляет почту запросом к сервису любого поставщика или к вашему.',
  'services.httpSms': 'Отправляет SMS запросом к сервису любого поставщика или к вашему.',
  'services.account': 'Пользователи входят со своей учётной записью {name}.',
  'services.microsoft': 'Пользователи входят со своей учётной записью Microsoft: рабочей, учебной или личной.',
  'services.oidc': 'Пользователи входят через любого поставщика OpenID.',
  'services.oauth2': 'Пользователи входят через любого поставщика OAuth 2.0, который возвращает данные пользователя.',
  'services.anyIdp': 'Любой поставщик удостоверений с поддержкой {protocol}.',
  'services.entra': 'Каталог компании в Microsoft, по {protocol}.',
  'services.company': 'Учётные записи компании в {name}.',
}
