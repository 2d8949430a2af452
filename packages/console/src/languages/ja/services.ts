/** The phrases of `en/services.ts` in Japanese. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': '{name} でメールを送信します。',
  'services.sms': '{name} で SMS を送信します。',
  'services.smtp': '自社のメールサーバーでメールを送信します。',
  'services.httpMail': '任意のプロバイダーまたは自社のサービスへのリクエストでメールを送信します。',
  'services.httpSms': '任意のプロバイダーまたは自社のサービスへのリクエストで SMS を送信します。',
  'services.account': 'ユーザーは {name} アカウントでサインインします。',
  'services.microsoft': 'ユーザーは職場、学校または個人の Microsoft アカウントでサインインします。',
  'services.oidc': 'ユーザーは任意の OpenID プロバイダーでサインインします。',
  'services.oauth2': 'ユーザーは、ユーザーのデータを返す任意の OAuth 2.0 プロバイダーでサインインします。',
  'services.anyIdp': '{protocol} に対応する任意の ID プロバイダー。',
  'services.entra': 'Microsoft にある会社のディレクトリ（{protocol}）。',
  'services.company': '{name} にある会社のアカウント。',
}
