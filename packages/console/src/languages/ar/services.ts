/** The phrases of `en/services.ts` in Arabic. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'يرسل البريد عبر {name}.',
  'services.sms': 'يرسل الرسائل النصية عبر {name}.',
  'services.smtp': 'يرسل البريد عبر خادم البريد الخاص بك.',
  'services.httpMail': 'يرسل البريد بطلب إلى خدمة أي مزوّد أو إلى خدمتك.',
  'services.httpSms': 'يرسل الرسائل النصية بطلب إلى خدمة أي مزوّد أو إلى خدمتك.',
  'services.account': 'يسجّل المستخدمون الدخول بحساباتهم في {name}.',
  'services.microsoft': 'يسجّل المستخدمون الدخول بحساباتهم في Microsoft: للعمل أو الدراسة أو الشخصية.',
  'services.oidc': 'يسجّل المستخدمون الدخول لدى أي مزوّد OpenID.',
  'services.oauth2': 'يسجّل المستخدمون الدخول لدى أي مزوّد OAuth 2.0 يعيد بيانات المستخدم.',
  'services.anyIdp': 'أي مزوّد هوية يدعم {protocol}.',
  'services.entra': 'دليل شركة لدى Microsoft عبر {protocol}.',
  'services.company': 'حسابات شركة لدى {name}.',
}
