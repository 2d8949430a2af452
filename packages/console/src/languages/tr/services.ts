/** The phrases of `en/services.ts` in Turkish. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'E-postaları {name} üzerinden gönderir.',
  'services.sms': 'SMS’leri {name} üzerinden gönderir.',
  'services.smtp': 'E-postaları kendi posta sunucunuz üzerinden gönderir.',
  'services.httpMail': 'E-postaları herhangi bir sağlayıcının ya da sizin hizmetinize bir istekle gönderir.',
  'services.httpSms': 'SMS’leri herhangi bir sağlayıcının ya da sizin hizmetinize bir istekle gönderir.',
  'services.account': 'Kullanıcılar {name} hesaplarıyla oturum açar.',
  'services.microsoft': 'Kullanıcılar iş, okul ya da kişisel Microsoft hesaplarıyla oturum açar.',
  'services.oidc': 'Kullanıcılar herhangi bir OpenID sağlayıcısında oturum açar.',
  'services.oauth2':
    'Kullanıcılar, kullanıcının verilerini döndüren herhangi bir OAuth 2.0 sağlayıcısında oturum açar.',
  'services.anyIdp': '{protocol} konuşan herhangi bir kimlik sağlayıcısı.',
  'services.entra': 'Bir şirketin Microsoft’taki dizini, {protocol} ile.',
  'services.company': 'Bir şirketin {name} hesapları.',
}
