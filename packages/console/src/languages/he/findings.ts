/** The findings of checks in Hebrew. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': 'אפשר להגיע אל {issuer}; מפתחות ציבוריים: {count}',
  'found.provider.oauth2': 'OAuth 2.0 רגיל, שאפשר לבדוק רק בכניסה ממשית',
  'found.provider.certificate': 'אפשר להגיע אל {entityId}, ויש לו אישור שתקף עד {date}',
  'found.provider.certificate_given': 'ל-{entityId} יש אישור שתקף עד {date}',
  'found.provider.certificate_ends': 'ל-{entityId} אין אישור שתקף אחרי {date}: מאז משתמשים לא יוכלו להיכנס שם',
  'found.provider.failed': 'משתמשים לא יכולים להיכנס שם: {reason}',
  'found.provider.incomplete': 'אף משתמש לא נשלח לשם: ההגדרה אינה מלאה',
  'found.address.unreached': 'אי אפשר להגיע מכאן: {reason}',
  'found.base_url.other_issuer':
    'מוביל לשרת שה-issuer שלו הוא {issuer}; הגדירו ב-BASE_URL את הכתובת שבה לקוחות משתמשים',
  'found.base_url.reached': 'מוביל לשרת בעל אותה כתובת בסיס',
  'found.base_url.status': 'עונה {status} לבקשת discovery',
  'found.check.too_late': 'אין תשובה בתוך {seconds} שניות',
  'found.console.other_site':
    'שייך לאתר אחר מזה של {baseUrl}: דפדפנים אינם שולחים לשם את ההפעלה, ומנהלי מערכת נכנסים מחדש כל עשר דקות',
  'found.console.other_tenant': 'אינו מוביל לקונסולה של {baseUrl}; העבירו את שם המארח שלו לשרת',
  'found.console.reached': 'מוביל לקונסולה',
  'found.console.status': 'עונה {status} ל-/console',
  'found.mail.answers': '{server} עונה',
  'found.mail.by_provider':
    'השליחה דרך {connector}, שרק הודעת בדיקה יכולה לבדוק: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': '{server} מקבל את פרטי הכניסה',
  'found.mail.none': 'לא הוגדר מחבר: לא נשלחים אימיילים ולא מוצעים קודים באימייל',
  'found.proxy.address': 'השרת רואה בקשות מהמחשב הזה כמגיעות מ-{ip}',
  'found.proxy.other_database': 'השרת בכתובת הבסיס אינו כותב למסד הנתונים הזה',
  'found.proxy.private': 'השרת רואה בקשות כמגיעות מ-{ip}; אם זה פרוקסי, ציינו אותו ב-TRUSTED_PROXIES',
  'found.token.answered': 'בקשת טוקן דרך כתובת הבסיס נענית',
  'found.token.no_answer': 'בקשת טוקן דרך כתובת הבסיס אינה נענית',
  'found.token.status': 'בקשת טוקן דרך כתובת הבסיס נענית ב-{status}',
  'asked.base_url': 'כתובת הבסיס {url}',
  'asked.connector': 'המחבר {name} של {tenant}',
  'asked.console': 'הקונסולה {url}',
  'asked.mail': 'האימייל של {tenant}',
  'asked.providers': 'הספקים של {tenant}',
  'asked.proxy': 'פרוקסי',
  'asked.sso_connector': 'מחבר ה-SSO {name} של {tenant}',
  'asked.token': 'טוקן',
}
