/** Arabic: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'تأكيد تسجيل الدخول',
  backchannelLead: 'يطلب تطبيق تسجيل دخولك. تابع لمعرفة التطبيق واتخاذ القرار.',
  backchannelGone: 'انتهت صلاحية هذا الطلب أو تمت الإجابة عنه بالفعل.',
  backchannelConfirmTitle: 'هل تريد تسجيل الدخول إلى {application}؟',
  backchannelMessage: 'رسالة من التطبيق',
  backchannelWarning: 'اسمح بذلك فقط إذا كنت تتوقعه وكانت الرسالة مطابقة لما ظهر لك حيث بدأت. وإلا فارفضه.',
  backchannelDone: 'لقد سمحت بتسجيل الدخول',
  backchannelDoneLead: 'يمكنك إغلاق هذه النافذة والمتابعة من حيث بدأت.',
  backchannelDenied: 'لقد رفضت تسجيل الدخول',
  backchannelDeniedLead: 'لم يُمنح التطبيق حق الوصول. يمكنك إغلاق هذه النافذة.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'تأكيد تسجيل الدخول',
  lead: 'يطلب تطبيق تسجيل دخولك إلى {{host}}. استخدم هذا الرابط لمعرفة التطبيق واتخاذ القرار.',
  action: 'عرض الطلب',
  unasked: 'إذا لم تكن تتوقع ذلك، فيمكنك تجاهل هذه الرسالة. لن يُسجَّل دخول أحد ما لم تسمح بذلك.',
}

/** The text message. */
export const backchannelSms = 'يطلب تطبيق تسجيل دخولك إلى {{host}}. للقرار: {{link}}'
