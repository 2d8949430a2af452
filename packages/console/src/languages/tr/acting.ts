/** The phrases of `en/acting.ts` in Turkish. */
import type { acting as english } from '../en/acting.ts'

export const acting: Readonly<Record<keyof typeof english, string>> = {
  'acting.text':
    'Tek bir API için bu kullanıcı olarak bir erişim belirteci alırsınız. En fazla on dakika geçerlidir ve onunla yapılanlar kullanıcı tarafından yapılmış sayılır.',
  'acting.permissions': 'İzinler',
  'acting.permissionsHint': 'Belirteç, bunlardan kullanıcının sahip olduklarını içerir.',
  'acting.begin': 'Kullanıcı adına işlem yap',
  'acting.made':
    'Belirteç {time} saatine kadar geçerlidir ve bir daha gösterilmez. Kullanıcı adına işlem yaptığınızı belirtir. İşiniz biter bitmez sonlandırın.',
  'acting.token': 'Erişim belirteci',
  'acting.claims': 'Claim’ler',
  'acting.request': 'API isteği',
  'acting.noScopes': 'Kullanıcı bu izinlerin hiçbirine sahip değil: belirteçte izin yok.',
  'acting.banner': '{time} saatine kadar {name} adına işlem yapıyorsunuz. Neden: “{reason}”.',
  'acting.end': 'Sonlandır',
  'acting.endLabel': '{name} adına işlem yapmayı sonlandır',
  'acting.ended':
    'Belirteç artık reddedilir. Yalnızca imzasını denetleyen bir API, onu {time} saatine kadar kabul eder.',
}
