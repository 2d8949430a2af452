/** The findings of checks in Russian. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer} доступен; открытых ключей: {count}',
  'found.provider.oauth2': 'Обычный OAuth 2.0, который можно проверить только входом',
  'found.provider.certificate': '{entityId} доступен, его сертификат действителен до {date}',
  'found.provider.certificate_given': 'Сертификат {entityId} действителен до {date}',
  'found.provider.certificate_ends':
    'У {entityId} нет сертификата, действительного после {date}: с этого дня пользователи не смогут там войти',
  'found.provider.failed': 'Пользователи не могут там войти: {reason}',
  'found.provider.incomplete': 'Пользователи туда не направляются: настройка не завершена',
  'found.address.unreached': 'Недоступен отсюда: {reason}',
  'found.base_url.other_issuer':
    'Ведёт на сервер с издателем {issuer}; укажите в BASE_URL адрес, которым пользуются клиенты',
  'found.base_url.reached': 'Ведёт на сервер с тем же базовым URL',
  'found.base_url.status': 'На запрос discovery отвечает {status}',
  'found.check.too_late': 'Нет ответа за {seconds} с',
  'found.console.other_site':
    'Относится к другому сайту, чем {baseUrl}: браузеры не передают туда сессию, и администраторам приходится входить каждые десять минут',
  'found.console.other_tenant': 'Не ведёт к консоли {baseUrl}; передавайте её хост серверу',
  'found.console.reached': 'Ведёт к консоли',
  'found.console.status': 'На запрос /console отвечает {status}',
  'found.mail.answers': '{server} отвечает',
  'found.mail.by_provider':
    'Отправка через {connector}, которую проверит только тестовое сообщение: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} принимает учётные данные',
  'found.mail.none': 'Коннектор не настроен: письма не отправляются, коды по почте не предлагаются',
  'found.proxy.address': 'Сервер видит запросы с этой машины как приходящие с {ip}',
  'found.proxy.other_database': 'Сервер по базовому URL пишет не в эту базу данных',
  'found.proxy.private': 'Сервер видит запросы как приходящие с {ip}; если это прокси, укажите его в TRUSTED_PROXIES',
  'found.token.answered': 'Запрос токена через базовый URL получает ответ',
  'found.token.no_answer': 'Запрос токена через базовый URL остаётся без ответа',
  'found.token.status': 'Запрос токена через базовый URL получает ответ {status}',
  'asked.base_url': 'Базовый URL {url}',
  'asked.connector': 'Коннектор {name} ({tenant})',
  'asked.console': 'Консоль {url}',
  'asked.mail': 'Почта ({tenant})',
  'asked.providers': 'Провайдеры ({tenant})',
  'asked.proxy': 'Прокси',
  'asked.sso_connector': 'Коннектор SSO {name} ({tenant})',
  'asked.token': 'Токен',
}
