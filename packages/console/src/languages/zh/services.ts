/** The phrases of `en/services.ts` in Chinese. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': '通过 {name} 发送邮件。',
  'services.sms': '通过 {name} 发送短信。',
  'services.smtp': '通过您自己的邮件服务器发送邮件。',
  'services.httpMail': '通过向任意提供商或您自己的服务发出请求来发送邮件。',
  'services.httpSms': '通过向任意提供商或您自己的服务发出请求来发送短信。',
  'services.account': '用户使用其 {name} 账户登录。',
  'services.microsoft': '用户使用其工作、学校或个人 Microsoft 账户登录。',
  'services.oidc': '用户在任意 OpenID 提供商处登录。',
  'services.oauth2': '用户在任意返回用户数据的 OAuth 2.0 提供商处登录。',
  'services.anyIdp': '任何支持 {protocol} 的身份提供商。',
  'services.entra': '公司在 Microsoft 的目录，通过 {protocol}。',
  'services.company': '公司在 {name} 的账户。',
}
