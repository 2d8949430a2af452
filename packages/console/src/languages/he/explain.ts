/** The phrases of `en/explain.ts` in Hebrew. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text': 'למה יש באסימון scope מסוים, או למה הוא חסר? התשובה באה מהקוד שמנפיק אסימונים; שום דבר לא מונפק.',
  'explain.question': 'כניסה של',
  'explain.application': 'אפליקציה',
  'explain.choose': 'בחירה…',
  'explain.noneOf': 'ללא',
  'explain.userText': 'המשתמש שייכנס.',
  'explain.applicationText': 'האפליקציה שתבקש את האסימון.',
  'explain.scope': 'Scopes',
  'explain.scopeHint': 'שמות עם רווחים ביניהם. ריק: כל ההרשאות של ה-API.',
  'explain.ask': 'הסבר',
  'explain.none': 'בחרו משתמש ואפליקציה',
  'explain.noneText': 'אז תראו איזה אסימון המשתמש היה מקבל שם עכשיו, ובאמצעות אילו תפקידים.',
  'explain.jwt': 'JWT עבור ה-API',
  'explain.opaque': 'אסימון אטום',
  'explain.refused': 'אין אסימון',
  'explain.audience': 'Audience',
  'explain.userinfo': 'ה-endpoint של userinfo',
  'explain.why': 'למה זה',
  'explain.scopes': 'Scopes שהתבקשו',
  'explain.granted': 'ניתן',
  'explain.missing': 'לא ניתן',
  'explain.through': 'תפקידים שכוללים אותו:',
  'explain.inOrganization': '{name} (בארגון)',
}
