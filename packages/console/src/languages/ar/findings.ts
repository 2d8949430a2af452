/** The findings of checks in Arabic. */
import type { Findings } from '../en/findings.ts'

export const findings: Findings = {
  'found.provider.reached': 'يمكن الوصول إلى {issuer}؛ المفاتيح العامة: {count}',
  'found.provider.oauth2': 'OAuth 2.0 بسيط لا يُفحَص إلا بتسجيل دخول فعلي',
  'found.provider.certificate': 'يمكن الوصول إلى {entityId} ولديه شهادة صالحة حتى {date}',
  'found.provider.certificate_given': 'لدى {entityId} شهادة صالحة حتى {date}',
  'found.provider.certificate_ends':
    'ليس لدى {entityId} شهادة صالحة بعد {date}: بعد ذلك لن يستطيع المستخدمون تسجيل الدخول هناك',
  'found.provider.failed': 'لا يستطيع المستخدمون تسجيل الدخول هناك: {reason}',
  'found.provider.incomplete': 'لا يُرسَل أي مستخدم إلى هناك: الإعداد غير مكتمل',
  'found.address.unreached': 'لا يمكن الوصول إليه من هنا: {reason}',
  'found.base_url.other_issuer': 'يقود إلى خادم مُصدِره {issuer}؛ اضبط BASE_URL على العنوان الذي تستخدمه التطبيقات',
  'found.base_url.reached': 'يقود إلى الخادم الذي له عنوان URL الأساسي نفسه',
  'found.base_url.status': 'يجيب عن طلب الاستكشاف بالرمز {status}',
  'found.check.too_late': 'لا إجابة خلال {seconds} ثانية',
  'found.console.other_site':
    'ينتمي إلى موقع غير موقع {baseUrl}: لا ترسل المتصفحات الجلسة إليه، فيسجّل المسؤولون الدخول من جديد كل عشر دقائق',
  'found.console.other_tenant': 'لا يقود إلى وحدة تحكم {baseUrl}؛ مرّر اسم مضيفه إلى الخادم',
  'found.console.reached': 'يقود إلى وحدة التحكم',
  'found.console.status': 'يجيب عن طلب /console بالرمز {status}',
  'found.mail.answers': '{server} يجيب',
  'found.mail.by_provider':
    'الإرسال عبر {connector}، ولا تفحصه إلا رسالة اختبار: POST /api/connectors/{connector}/test',
  'found.mail.failed': '{server} ({cause}): {reason}',
  'found.mail.login': 'يقبل {server} بيانات الدخول',
  'found.mail.none': 'لم يُعَدّ أي موصل: لا يُرسَل بريد إلكتروني ولا تُعرض رموز بالبريد',
  'found.proxy.address': 'يرى الخادم طلبات هذا الجهاز قادمة من {ip}',
  'found.proxy.other_database': 'الخادم عند عنوان URL الأساسي لا يكتب في قاعدة البيانات هذه',
  'found.proxy.private': 'يرى الخادم الطلبات قادمة من {ip}؛ إذا كان ذلك وكيلًا فاذكره في TRUSTED_PROXIES',
  'found.token.answered': 'طلب رمز وصول عبر عنوان URL الأساسي يلقى إجابة',
  'found.token.no_answer': 'طلب رمز وصول عبر عنوان URL الأساسي لا يلقى إجابة',
  'found.token.status': 'طلب رمز وصول عبر عنوان URL الأساسي يلقى الإجابة {status}',
  'asked.base_url': 'عنوان URL الأساسي {url}',
  'asked.connector': 'الموصل {name} لدى {tenant}',
  'asked.console': 'وحدة التحكم {url}',
  'asked.mail': 'البريد الإلكتروني لدى {tenant}',
  'asked.providers': 'المزوّدون لدى {tenant}',
  'asked.proxy': 'الوكيل',
  'asked.sso_connector': 'موصل SSO {name} لدى {tenant}',
  'asked.token': 'رمز الوصول',
}
