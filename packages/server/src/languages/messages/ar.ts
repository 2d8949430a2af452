/** The texts of messages in Arabic. */

import { backchannelMail, backchannelSms } from '../backchannel/ar.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/ar.ts'

const CHANGE_PASSWORD =
  'إذا لم تطلب ذلك، فقد يكون شخص آخر قد سجّل الدخول إلى حسابك. عيّن كلمة مرور جديدة ولا تشارك هذا الرمز.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'رمز تسجيل الدخول',
      lead: 'استخدم هذا الرمز لتسجيل الدخول إلى {{host}}.',
      unasked: 'إذا لم تحاول تسجيل الدخول، فيمكنك تجاهل هذه الرسالة. لا يمكن لأحد تسجيل الدخول بدون الرمز.',
    },
    Register: {
      subject: 'رمز التسجيل',
      lead: 'استخدم هذا الرمز لإنشاء حسابك على {{host}}.',
      unasked: 'إذا لم ترغب في إنشاء حساب، فيمكنك تجاهل هذه الرسالة. لا يُنشأ أي حساب بدون الرمز.',
    },
    ForgotPassword: {
      subject: 'رمز تعيين كلمة مرور جديدة',
      lead: 'استخدم هذا الرمز لتعيين كلمة مرور جديدة على {{host}}.',
      unasked: 'إذا لم تطلب كلمة مرور جديدة، فيمكنك تجاهل هذه الرسالة. تبقى كلمة مرورك كما هي.',
    },
    BindNewIdentifier: {
      subject: 'رمز إضافة هذا العنوان',
      lead: 'استخدم هذا الرمز لإضافة هذا العنوان إلى حسابك على {{host}}.',
      unasked: 'إذا لم تطلب ذلك، فيمكنك تجاهل هذه الرسالة. لا يُضاف العنوان بدون الرمز.',
    },
    MfaVerification: {
      subject: 'رمز التحقق بخطوتين',
      lead: 'استخدم هذا الرمز لتأكيد أنك أنت من يسجّل الدخول إلى {{host}}.',
      unasked: 'إذا لم تحاول تسجيل الدخول، فقد يكون شخص آخر يعرف كلمة مرورك. عيّن كلمة جديدة ولا تشارك هذا الرمز.',
    },
    BindMfa: {
      subject: 'رمز إعداد التحقق بخطوتين',
      lead: 'استخدم هذا الرمز لإعداد التحقق بخطوتين لحسابك على {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'رمز تأكيد تغيير',
      lead: 'استخدم هذا الرمز لتأكيد تغيير في حسابك على {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'رابط تسجيل الدخول',
      lead: 'استخدم هذا الرابط لتسجيل الدخول إلى {{host}}.',
      action: 'تسجيل الدخول',
      unasked:
        'إذا لم تحاول تسجيل الدخول، فيمكنك تجاهل هذه الرسالة. لا تُعِد توجيهها، فكل من لديه الرابط يمكنه تسجيل الدخول باسمك.',
    },
    OrganizationInvitation: {
      subject: 'تلقيت دعوة',
      lead: 'تمت دعوتك للانضمام إلى {{organizationName}} على {{host}}.',
      action: 'عرض الدعوة',
      unasked: 'إذا لم تكن تتوقع هذه الدعوة، فيمكنك تجاهل هذه الرسالة. لن تصبح عضوًا إلا إذا قبلتها.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'رمز التحقق',
      lead: 'استخدم هذا الرمز على {{host}}.',
      unasked: 'إذا لم تكن تتوقع هذه الرسالة، فيمكنك تجاهلها.',
    },
  },
  changes,
  codeLife: 'مدة الصلاحية: {{duration}}.',
  codeNote: 'لا تشاركه مع أحد. لن نطلبه منك أبدًا.',
  linkLife: 'مدة صلاحية الرابط: {{duration}}.',
  linkFallback: 'إذا لم يعمل الزر، فانسخ هذا العنوان إلى متصفحك:',
  open: 'متابعة',
  sms: {
    SignIn: '{{code}} هو رمزك لتسجيل الدخول إلى {{host}}. لا تشاركه مع أحد.',
    Register: '{{code}} هو رمزك لإنشاء حسابك على {{host}}. لا تشاركه مع أحد.',
    ForgotPassword: '{{code}} هو رمزك لتعيين كلمة مرور جديدة على {{host}}. لا تشاركه مع أحد.',
    BindNewIdentifier: '{{code}} هو رمزك لإضافة هذا الرقم على {{host}}. لا تشاركه مع أحد.',
    MfaVerification: '{{code}} هو رمزك لتأكيد تسجيل الدخول إلى {{host}}. لا تشاركه مع أحد.',
    BindMfa: '{{code}} هو رمزك لإعداد التحقق بخطوتين على {{host}}. لا تشاركه مع أحد.',
    UserPermissionValidation: '{{code}} هو رمزك لتأكيد تغيير على {{host}}. لا تشاركه مع أحد.',
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'رابط تسجيل الدخول إلى {{host}}: {{link}}',
    AccountDeletion: 'سيُحذف حسابك على {{host}} في {{date}}. للاحتفاظ به: {{link}}',
    OrganizationInvitation: 'تمت دعوتك إلى {{organizationName}} على {{host}}: {{link}}',
    Generic: '{{code}} هو رمز التحقق الخاص بك على {{host}}. لا تشاركه مع أحد.',
  },
}
