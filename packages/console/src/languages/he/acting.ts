/** The phrases of `en/acting.ts` in Hebrew. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'תקבלו אסימון גישה בשם המשתמש הזה עבור API אחד. הוא תקף לעשר דקות לכל היותר, וכל מה שנעשה באמצעותו נחשב למעשה של המשתמש.',
  'acting.permissions': 'הרשאות',
  'acting.permissionsHint': 'באסימון יהיו אלה שיש למשתמש.',
  'acting.begin': 'פעולה בשם המשתמש',
  'acting.made':
    'האסימון תקף עד {time} ולא יוצג שוב. כתוב בו שאתם פועלים בשם המשתמש. סיימו אותו מיד כשאין בו עוד צורך.',
  'acting.token': 'אסימון גישה',
  'acting.claims': 'Claims',
  'acting.request': 'בקשה ל-API',
  'acting.noScopes': 'למשתמש אין אף אחת מההרשאות האלה: לאסימון אין הרשאות.',
  'acting.banner': 'אתם פועלים בשם {name} מהסיבה ״{reason}״ עד {time}.',
  'acting.end': 'סיום',
  'acting.endLabel': 'סיום הפעולה בשם {name}',
  'acting.ended': 'האסימון נדחה מעכשיו. API שבודק רק את החתימה שלו יקבל אותו עד {time}.',
}
