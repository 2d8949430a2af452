/** The phrases of `en/explain.ts` in Arabic. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    'لماذا يحتوي رمز مميز على scope أو يفتقر إليه؟ يأتي الجواب من الشيفرة التي تصدر الرموز؛ ولا يُصدر أي شيء.',
  'explain.question': 'تسجيل دخول المستخدم',
  'explain.application': 'التطبيق',
  'explain.choose': 'اختر…',
  'explain.noneOf': 'لا شيء',
  'explain.userText': 'المستخدم الذي سيسجّل الدخول.',
  'explain.applicationText': 'التطبيق الذي سيطلب الرمز المميز.',
  'explain.scope': 'Scopes',
  'explain.scopeHint': 'أسماء تفصل بينها مسافات. فارغ: كل أذونات API.',
  'explain.ask': 'تفسير',
  'explain.none': 'اختر مستخدمًا وتطبيقًا',
  'explain.noneText': 'ثم ترى أي رمز مميز سيحصل عليه المستخدم هناك الآن، وعبر أي أدوار.',
  'explain.jwt': 'رمز JWT لـ API',
  'explain.opaque': 'رمز مميز معتم (opaque)',
  'explain.refused': 'لا رمز مميز',
  'explain.audience': 'Audience',
  'explain.userinfo': 'نقطة نهاية userinfo',
  'explain.why': 'لماذا هذا',
  'explain.scopes': 'الـ scopes المطلوبة',
  'explain.granted': 'ممنوح',
  'explain.missing': 'غير ممنوح',
  'explain.through': 'الأدوار التي تتضمنه:',
  'explain.inOrganization': '{name} (في المؤسسة)',
}
