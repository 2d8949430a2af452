/** The texts of messages in Hebrew. */

import { backchannelMail, backchannelSms } from '../backchannel/he.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/he.ts'

const CHANGE_PASSWORD = 'אם לא ביקשתם זאת, ייתכן שמישהו אחר נכנס לחשבון שלכם. הגדירו סיסמה חדשה ואל תשתפו את הקוד הזה.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'קוד הכניסה שלכם',
      lead: 'השתמשו בקוד הזה כדי להיכנס אל {{host}}.',
      unasked: 'אם לא ניסיתם להיכנס, אפשר להתעלם מהאימייל הזה. אף אחד לא יכול להיכנס בלי הקוד.',
    },
    Register: {
      subject: 'קוד ההרשמה שלכם',
      lead: 'השתמשו בקוד הזה כדי ליצור חשבון ב-{{host}}.',
      unasked: 'אם לא רציתם ליצור חשבון, אפשר להתעלם מהאימייל הזה. בלי הקוד לא ייווצר חשבון.',
    },
    ForgotPassword: {
      subject: 'הקוד שלכם לסיסמה חדשה',
      lead: 'השתמשו בקוד הזה כדי להגדיר סיסמה חדשה ב-{{host}}.',
      unasked: 'אם לא ביקשתם סיסמה חדשה, אפשר להתעלם מהאימייל הזה. הסיסמה לא תשתנה.',
    },
    BindNewIdentifier: {
      subject: 'הקוד שלכם להוספת הכתובת',
      lead: 'השתמשו בקוד הזה כדי להוסיף את הכתובת לחשבון שלכם ב-{{host}}.',
      unasked: 'אם לא ביקשתם זאת, אפשר להתעלם מהאימייל הזה. בלי הקוד הכתובת לא תתווסף.',
    },
    MfaVerification: {
      subject: 'הקוד שלכם לאימות דו-שלבי',
      lead: 'השתמשו בקוד הזה כדי לאשר שאתם אלה שנכנסים אל {{host}}.',
      unasked: 'אם לא ניסיתם להיכנס, ייתכן שמישהו אחר יודע את הסיסמה שלכם. הגדירו סיסמה חדשה ואל תשתפו את הקוד הזה.',
    },
    BindMfa: {
      subject: 'הקוד שלכם להגדרת אימות דו-שלבי',
      lead: 'השתמשו בקוד הזה כדי להגדיר אימות דו-שלבי לחשבון שלכם ב-{{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'הקוד שלכם לאישור שינוי',
      lead: 'השתמשו בקוד הזה כדי לאשר שינוי בחשבון שלכם ב-{{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'קישור הכניסה שלכם',
      lead: 'השתמשו בקישור הזה כדי להיכנס אל {{host}}.',
      action: 'כניסה',
      unasked:
        'אם לא ניסיתם להיכנס, אפשר להתעלם מהאימייל הזה. אל תעבירו אותו הלאה: כל מי שיש לו את הקישור יכול להיכנס בשמכם.',
    },
    OrganizationInvitation: {
      subject: 'הוזמנתם',
      lead: 'הוזמנתם להצטרף אל {{organizationName}} ב-{{host}}.',
      action: 'הצגת ההזמנה',
      unasked: 'אם לא ציפיתם להזמנה הזו, אפשר להתעלם מהאימייל הזה. תהפכו לחברים רק אם תאשרו.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'קוד האימות שלכם',
      lead: 'השתמשו בקוד הזה ב-{{host}}.',
      unasked: 'אם לא ציפיתם לאימייל הזה, אפשר להתעלם ממנו.',
    },
  },
  changes,
  codeLife: 'הקוד תקף למשך {{duration}}.',
  codeNote: 'אל תשתפו אותו. לעולם לא נבקש אותו מכם.',
  linkLife: 'הקישור תקף למשך {{duration}}.',
  linkFallback: 'אם הכפתור לא פועל, העתיקו את הכתובת הזו לדפדפן:',
  open: 'המשך',
  sms: {
    SignIn: '{{code}} הוא הקוד שלכם לכניסה אל {{host}}. אל תשתפו אותו.',
    Register: '{{code}} הוא הקוד שלכם ליצירת חשבון ב-{{host}}. אל תשתפו אותו.',
    ForgotPassword: '{{code}} הוא הקוד שלכם לסיסמה חדשה ב-{{host}}. אל תשתפו אותו.',
    BindNewIdentifier: '{{code}} הוא הקוד שלכם להוספת המספר ב-{{host}}. אל תשתפו אותו.',
    MfaVerification: '{{code}} הוא הקוד שלכם לאישור הכניסה אל {{host}}. אל תשתפו אותו.',
    BindMfa: '{{code}} הוא הקוד שלכם להגדרת אימות דו-שלבי ב-{{host}}. אל תשתפו אותו.',
    UserPermissionValidation: '{{code}} הוא הקוד שלכם לאישור שינוי ב-{{host}}. אל תשתפו אותו.',
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'הקישור שלכם לכניסה אל {{host}}: {{link}}',
    AccountDeletion: 'החשבון שלכם ב-{{host}} יימחק ב-{{date}}. כדי לשמור עליו: {{link}}',
    OrganizationInvitation: 'הוזמנתם להצטרף אל {{organizationName}} ב-{{host}}: {{link}}',
    Generic: '{{code}} הוא קוד האימות שלכם ב-{{host}}. אל תשתפו אותו.',
  },
}
