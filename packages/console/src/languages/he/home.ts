/** The phrases of `en/home.ts` in Hebrew. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'שלום, {name}',
  'home.recent': 'מה קורה עכשיו',
  'home.allEntries': 'פתיחת היומן',

  'first.title': 'צעדים ראשונים',
  'first.text': 'שלושה צעדים עד לכניסה של המשתמש הראשון.',
  'first.done': 'בוצע',
  'first.administrator': 'יש מנהל מערכת לשרת הזה: אתם',
  'first.application': 'רישום האפליקציה שלכם',
  'first.applicationText': 'אתר, אפליקציה או שירות שמשתמשים נכנסים אליו דרך כאן.',
  'first.signIn': 'כניסה לאפליקציה שלכם',
  'first.signInText': 'הדביקו את הקוד באפליקציה, הפעילו אותה והיכנסו עם חשבון חדש.',
  'first.signedIn': 'משתמש נכנס',
  'first.code': 'קוד עבור {name}',
  'first.waiting': 'בהמתנה לכניסה הראשונה…',
  'first.finished': 'זה עובד. משתמשים יכולים להיכנס לאפליקציה שלכם.',
  'applications.create': 'יצירת אפליקציה',
}
