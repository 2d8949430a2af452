/** The phrases of `en/services.ts` in Hebrew. */
import type { services as english } from '../en/services.ts'

export const services: Readonly<Record<keyof typeof english, string>> = {
  'services.mail': 'שולח דואר דרך {name}.',
  'services.sms': 'שולח מסרונים דרך {name}.',
  'services.smtp': 'שולח דואר דרך שרת הדואר שלכם.',
  'services.httpMail': 'שולח דואר בבקשה לשירות של כל ספק, או לשירות שלכם.',
  'services.httpSms': 'שולח מסרונים בבקשה לשירות של כל ספק, או לשירות שלכם.',
  'services.account': 'המשתמשים נכנסים עם חשבון {name} שלהם.',
  'services.microsoft': 'המשתמשים נכנסים עם חשבון Microsoft שלהם: של העבודה, של הלימודים או אישי.',
  'services.oidc': 'המשתמשים נכנסים אצל כל ספק OpenID.',
  'services.oauth2': 'המשתמשים נכנסים אצל כל ספק OAuth 2.0 שמחזיר נתונים על המשתמש.',
  'services.anyIdp': 'כל ספק זהויות שתומך ב־{protocol}.',
  'services.entra': 'הספרייה של חברה ב־Microsoft, באמצעות {protocol}.',
  'services.company': 'החשבונות של חברה ב־{name}.',
}
