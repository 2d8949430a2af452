/** The findings of checks in Turkish. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': '{issuer} erişilebilir; açık anahtar sayısı: {count}',
  'found.provider.oauth2': 'Düz OAuth 2.0; yalnızca bir oturum açma ile denetlenebilir',
  'found.provider.certificate': '{entityId} erişilebilir ve {date} tarihine kadar geçerli bir sertifikası var',
  'found.provider.certificate_given': '{entityId}, {date} tarihine kadar geçerli bir sertifikaya sahip',
  'found.provider.certificate_ends':
    '{entityId} için {date} tarihinden sonra geçerli bir sertifika yok: o tarihten sonra kullanıcılar orada oturum açamaz',
  'found.provider.failed': 'Kullanıcılar orada oturum açamıyor: {reason}',
  'found.provider.incomplete': 'Oraya hiçbir kullanıcı gönderilmiyor: yapılandırma tamamlanmamış',
  'found.address.unreached': 'Buradan erişilemiyor: {reason}',
  'found.base_url.other_issuer':
    'Issuer değeri {issuer} olan bir sunucuya götürüyor; BASE_URL değerini istemcilerin kullandığı adrese ayarlayın',
  'found.base_url.reached': 'Aynı temel URL’ye sahip sunucuya götürüyor',
  'found.base_url.status': 'Discovery isteğine {status} yanıtını veriyor',
  'found.check.too_late': '{seconds} saniye içinde yanıt gelmedi',
  'found.console.other_site':
    '{baseUrl} ile aynı sitede değil: tarayıcılar oturumu orada göndermez, yöneticiler her on dakikada bir yeniden oturum açar',
  'found.console.other_tenant': '{baseUrl} konsoluna götürmüyor; ana bilgisayar adını sunucuya iletin',
  'found.console.reached': 'Konsola götürüyor',
  'found.console.status': '/console isteğine {status} yanıtını veriyor',
  'found.mail.answers': '{server} yanıt veriyor',
  'found.mail.by_provider':
    '{connector} ile gönderiliyor; yalnızca bir test iletisiyle denetlenebilir: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} kimlik bilgilerini kabul ediyor',
  'found.mail.none': 'Hiçbir bağlayıcı ayarlanmamış: e-posta gönderilmez ve e-posta ile kod sunulmaz',
  'found.proxy.address': 'Sunucu bu makinenin isteklerini {ip} adresinden geliyor olarak görüyor',
  'found.proxy.other_database': 'Temel URL’deki sunucu bu veritabanına yazmıyor',
  'found.proxy.private':
    'Sunucu istekleri {ip} adresinden geliyor olarak görüyor; bu bir proxy ise TRUSTED_PROXIES içinde belirtin',
  'found.token.answered': 'Temel URL üzerinden token isteği yanıtlanıyor',
  'found.token.no_answer': 'Temel URL üzerinden token isteği yanıtsız kalıyor',
  'found.token.status': 'Temel URL üzerinden token isteği {status} yanıtını alıyor',
  'asked.base_url': 'Temel URL {url}',
  'asked.connector': 'Bağlayıcı {name} ({tenant})',
  'asked.console': 'Konsol {url}',
  'asked.mail': 'E-posta ({tenant})',
  'asked.providers': 'Sağlayıcılar ({tenant})',
  'asked.proxy': 'Proxy',
  'asked.sso_connector': 'SSO bağlayıcısı {name} ({tenant})',
  'asked.token': 'Token',
}
