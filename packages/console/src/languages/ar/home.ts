/** The phrases of `en/home.ts` in Arabic. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'مرحبًا، {name}',
  'home.recent': 'ما يحدث الآن',
  'home.allEntries': 'فتح السجل',

  'first.title': 'الخطوات الأولى',
  'first.text': 'ثلاث خطوات إلى أول مستخدم يسجّل الدخول.',
  'first.done': 'تم',
  'first.administrator': 'مسؤول واحد يعتني بهذا الخادم: أنت',
  'first.application': 'سجّل تطبيقك',
  'first.applicationText': 'موقع أو تطبيق أو خدمة تتيح للمستخدمين تسجيل الدخول هنا.',
  'first.signIn': 'سجّل الدخول إلى تطبيقك',
  'first.signInText': 'الصق الشيفرة في تطبيقك، وشغّله، وسجّل الدخول بحساب جديد.',
  'first.signedIn': 'سجّل مستخدم الدخول',
  'first.code': 'شيفرة {name}',
  'first.waiting': 'في انتظار أول تسجيل دخول لك…',
  'first.finished': 'نجح الأمر. يمكن للمستخدمين تسجيل الدخول إلى تطبيقك.',
  'applications.create': 'إنشاء تطبيق',
}
