/** The phrases of `en/services.ts` in Portuguese. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'Envia e-mails por meio de {name}.',
  'services.sms': 'Envia SMS por meio de {name}.',
  'services.smtp': 'Envia e-mails pelo seu próprio servidor de e-mail.',
  'services.httpMail': 'Envia e-mails por uma requisição a um serviço de qualquer provedor, ou ao seu.',
  'services.httpSms': 'Envia SMS por uma requisição a um serviço de qualquer provedor, ou ao seu.',
  'services.account': 'Os usuários entram com a conta {name} deles.',
  'services.microsoft': 'Os usuários entram com a conta Microsoft deles, do trabalho, da escola ou pessoal.',
  'services.oidc': 'Os usuários entram em qualquer provedor OpenID.',
  'services.oauth2': 'Os usuários entram em qualquer provedor OAuth 2.0 que retorne dados do usuário.',
  'services.anyIdp': 'Qualquer provedor de identidade compatível com {protocol}.',
  'services.entra': 'O diretório de uma empresa na Microsoft, por {protocol}.',
  'services.company': 'As contas de uma empresa em {name}.',
}
