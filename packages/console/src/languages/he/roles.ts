/** The phrases of `en/roles.ts` in Hebrew. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': 'תפקידים',

  'roles.text': 'קבוצות של הרשאות. למי שיש תפקיד יש את ההרשאות שלו, בכל ממשקי ה-API שהוא מציין.',
  'roles.create': 'יצירת תפקיד',
  'roles.createText': 'את ההרשאות שלו תבחרו אחר כך. אי אפשר לשנות אחר כך למי אפשר לתת אותו.',
  'roles.created': 'התפקיד {name} נוצר',
  'roles.type': 'עבור',
  'roles.forUsers': 'משתמשים',
  'roles.forMachines': 'ממכונה למכונה',
  'roles.members': 'חברים',
  'roles.default': 'תפקיד ברירת מחדל',
  'roles.defaultText': 'משתמשים שייווצרו מעכשיו יקבלו אותו. הקיימים נשארים כפי שהם.',
  'roles.none': 'אין עדיין תפקידים',
  'roles.noneText': 'צרו תפקיד לכל קבוצה של אנשים או שירותים שמותר להם לעשות את אותו הדבר.',
  'roles.general': 'כללי',
  'roles.tab.permissions': 'הרשאות',
  'roles.tab.members': 'חברים',
  'roles.tab.settings': 'הגדרות',
  'roles.chosen': '{count} מתוך {total}',
  'roles.chooseAll': 'הכול',
  'roles.chooseNone': 'ללא',
  'roles.delete': 'מחיקת התפקיד',
  'roles.deleteText': 'מי שהתפקיד שלו יאבד את ההרשאות באסימון הבא. אי אפשר לבטל את הפעולה.',
  'roles.noMembers': 'לא ניתן לאף אחד',
  'roles.noMembersText': 'תנו אותו למי שצריך את ההרשאות שלו.',
  'roles.addUser': 'הוספת משתמש',
  'roles.addApplication': 'הוספת אפליקציה',
  'roles.given': 'התפקיד ניתן: {name}',
  'roles.taken': 'התפקיד הוסר: {name}',
}
