/** The phrases of `en/roles.ts` in Arabic. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': 'الأدوار',

  'roles.text': 'مجموعات من الأذونات. من لديه دور يملك أذوناته، في كل واجهات API التي يذكرها.',
  'roles.create': 'إنشاء دور',
  'roles.createText': 'تختار أذوناته بعد ذلك. لا يمكن لاحقًا تغيير من يمكن أن يُمنح له.',
  'roles.created': 'تم إنشاء {name}',
  'roles.type': 'مخصص لـ',
  'roles.forUsers': 'المستخدمون',
  'roles.forMachines': 'من آلة إلى آلة',
  'roles.members': 'الأعضاء',
  'roles.default': 'دور افتراضي',
  'roles.defaultText': 'يُمنح للمستخدمين الذين يُنشَؤون من الآن فصاعدًا. يبقى الحاليون كما هم.',
  'roles.none': 'لا توجد أدوار بعد',
  'roles.noneText': 'أنشئ دورًا لكل مجموعة من الأشخاص أو الخدمات يُسمح لها بالأمور نفسها.',
  'roles.general': 'عام',
  'roles.tab.permissions': 'الأذونات',
  'roles.tab.members': 'الأعضاء',
  'roles.tab.settings': 'الإعدادات',
  'roles.chosen': '{count} من {total}',
  'roles.chooseAll': 'الكل',
  'roles.chooseNone': 'لا شيء',
  'roles.delete': 'حذف الدور',
  'roles.deleteText': 'من لديه هذا الدور يفقد أذوناته مع الرمز المميز التالي. لا يمكن التراجع عن ذلك.',
  'roles.noMembers': 'غير ممنوح لأحد',
  'roles.noMembersText': 'امنحه لمن يحتاج إلى أذوناته.',
  'roles.addUser': 'إضافة مستخدم',
  'roles.addApplication': 'إضافة تطبيق',
  'roles.given': 'أصبح الدور ممنوحًا لـ {name}',
  'roles.taken': 'لم يعد الدور ممنوحًا لـ {name}',
}
