/** The phrases of `en/roles.ts` in Turkish. */
import type { roles as english } from '../en/roles.ts'

export const roles: Readonly<Record<keyof typeof english, string>> = {
  'nav.roles': 'Roller',

  'roles.text': 'İzin grupları. Bir role sahip olan, rolün belirttiği tüm API’lerde onun izinlerine sahip olur.',
  'roles.create': 'Rol oluştur',
  'roles.createText': 'İzinlerini sonradan seçersiniz. Kimlerin sahip olabileceği sonradan değiştirilemez.',
  'roles.created': '{name} oluşturuldu',
  'roles.type': 'Kimin için',
  'roles.forUsers': 'Kullanıcılar',
  'roles.forMachines': 'Makineden makineye',
  'roles.members': 'Üyeler',
  'roles.default': 'Varsayılan rol',
  'roles.defaultText': 'Bundan sonra oluşturulan kullanıcılar bu role sahip olur. Mevcut olanlar aynı kalır.',
  'roles.none': 'Henüz rol yok',
  'roles.noneText': 'Aynı şeyleri yapabilecek her kişi veya hizmet grubu için bir tane oluşturun.',
  'roles.general': 'Genel',
  'roles.tab.permissions': 'İzinler',
  'roles.tab.members': 'Üyeler',
  'roles.tab.settings': 'Ayarlar',
  'roles.chosen': '{count} / {total}',
  'roles.chooseAll': 'Tümü',
  'roles.chooseNone': 'Hiçbiri',
  'roles.delete': 'Rolü sil',
  'roles.deleteText': 'Sahip olanlar, bir sonraki belirteçte izinlerini kaybeder. Bu işlem geri alınamaz.',
  'roles.noMembers': 'Kimsede yok',
  'roles.noMembersText': 'İzinlerine ihtiyaç duyanlara verin.',
  'roles.addUser': 'Kullanıcı ekle',
  'roles.addApplication': 'Uygulama ekle',
  'roles.given': '{name} artık bu role sahip',
  'roles.taken': '{name} artık bu role sahip değil',
}
