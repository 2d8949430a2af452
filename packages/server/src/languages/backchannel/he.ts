/** Hebrew: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'אישור כניסה',
  backchannelLead: 'יישום מבקש להכניס אתכם. המשיכו כדי לראות איזה יישום, ולהחליט.',
  backchannelGone: 'תוקף הבקשה הזאת פג, או שכבר ניתנה לה תשובה.',
  backchannelConfirmTitle: 'להיכנס אל {application}?',
  backchannelMessage: 'הודעה מהיישום',
  backchannelWarning: 'אשרו רק אם ציפיתם לכך, ואם ההודעה זהה לזו שהוצגה לכם במקום שבו התחלתם. אחרת, דחו.',
  backchannelDone: 'אישרתם את הכניסה',
  backchannelDoneLead: 'אפשר לסגור את החלון הזה ולהמשיך במקום שבו התחלתם.',
  backchannelDenied: 'דחיתם את הכניסה',
  backchannelDeniedLead: 'ליישום לא ניתנה גישה. אפשר לסגור את החלון הזה.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'אישור כניסה',
  lead: 'יישום מבקש להכניס אתכם אל {{host}}. השתמשו בקישור הזה כדי לראות איזה יישום, ולהחליט.',
  action: 'הצגת הבקשה',
  unasked: 'אם לא ציפיתם לכך, אפשר להתעלם מהאימייל הזה. אף אחד לא ייכנס אם לא תאשרו.',
}

/** The text message. */
export const backchannelSms = 'יישום מבקש להכניס אתכם אל {{host}}. להחלטה: {{link}}'
