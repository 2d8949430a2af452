/** Arabic: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'لم أكن أنا',
  unasked: 'إذا كنت أنت من فعل ذلك، فلا داعي لأي إجراء. وإلا فاستخدم الزر: سيسجّل خروج كل من سجّل الدخول إلى حسابك.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'لم أكن أنا',
  notMeTitle: 'ألم تكن أنت؟',
  notMeLead: 'إذا أجرى شخص آخر هذا التغيير، فسجّل خروج الجميع من حسابك الآن.',
  notMeHint: 'ينهي هذا جميع الجلسات ووصول جميع التطبيقات ورموز الوصول الشخصية. لا يمكن التراجع عنه.',
  notMeGone: 'لم يعد هذا الرابط صالحًا. يمكن استخدامه مرة واحدة خلال سبعة أيام.',
  notMeDone: 'تم تسجيل خروج الجميع',
  notMeDoneLead: 'لم يعد أحد مسجّل الدخول إلى حسابك، ولا يملك أي تطبيق حق الوصول إليه.',
  notMeReset: 'لم تعد كلمة مرورك صالحة. عند تسجيل الدخول القادم اختر نسيان كلمة المرور وعيّن كلمة جديدة.',
  notMeContact: 'إذا تغيّر عنوان بريدك الإلكتروني أو كلمة مرورك، فاطلب المساعدة من دعم هذه الخدمة.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'سيُحذف حسابك',
    lead: 'سيُحذف حسابك على {{host}} في {{date}} كما طلبت. للاحتفاظ به، استخدم هذا الرابط أو سجّل الدخول قبل ذلك.',
    action: 'الاحتفاظ بحسابي',
    unasked: 'إذا لم تطلب ذلك، فقد يكون شخص آخر على علم بكلمة مرورك. احتفظ بحسابك وعيّن كلمة مرور جديدة.',
  },
  AccountChanged: { subject: 'تم تغيير حسابك', lead: 'تم تغيير حسابك في {{host}}.', ...notMe },
  NewSignIn: { subject: 'تسجيل دخول جديد إلى حسابك', lead: 'حدث تسجيل دخول جديد إلى حسابك في {{host}}.', ...notMe },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'تم تغيير كلمة مرور حسابك في {{host}}.',
  emailChanged: 'تم تغيير عنوان البريد الإلكتروني لحسابك في {{host}}.',
  phoneChanged: 'تم تغيير رقم هاتف حسابك في {{host}}.',
  factorAdded: 'أُضيفت طريقة إلى التحقق بخطوتين لحسابك في {{host}}.',
  factorRemoved: 'أُزيلت طريقة من التحقق بخطوتين لحسابك في {{host}}.',
  backupCodesCreated: 'أُنشئت رموز احتياطية جديدة لحسابك في {{host}}.',
  identityLinked: 'تم ربط حسابك في {{host}} بحساب في خدمة أخرى.',
  identityUnlinked: 'أُزيل ربط حسابك في {{host}} بحساب في خدمة أخرى.',
  accessTokenCreated: 'أُنشئ رمز وصول شخصي لحسابك في {{host}}.',
  newSignIn: 'تم تسجيل الدخول إلى حسابك في {{host}} من متصفح جديد أو من مكان جديد.',
}
