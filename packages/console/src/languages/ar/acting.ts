/** The phrases of `en/acting.ts` in Arabic. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'تحصل على رمز وصول باسم هذا المستخدم لواجهة API واحدة. تبلغ مدة صلاحيته عشر دقائق على الأكثر، وكل ما يُفعل به يُعدّ من فعل المستخدم.',
  'acting.permissions': 'الأذونات',
  'acting.permissionsHint': 'يحمل الرمز من هذه الأذونات ما لدى المستخدم.',
  'acting.begin': 'التصرف باسم المستخدم',
  'acting.made': 'يعمل الرمز حتى {time} ولن يُعرض مجددًا. ويُذكر فيه أنك تتصرف باسم المستخدم. أنهِه فور انتهائك.',
  'acting.token': 'رمز الوصول',
  'acting.claims': 'Claims',
  'acting.request': 'طلب إلى API',
  'acting.noScopes': 'ليس لدى المستخدم أي من هذه الأذونات: لا يحمل الرمز أي إذن.',
  'acting.banner': 'أنت تتصرف باسم {name} بسبب «{reason}» حتى {time}.',
  'acting.end': 'إنهاء',
  'acting.endLabel': 'إنهاء التصرف باسم {name}',
  'acting.ended': 'يُرفض الرمز من الآن. أما واجهة API التي تتحقق من توقيعه فقط فتقبله حتى {time}.',
}
