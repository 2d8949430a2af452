/** The phrases of `en/import.ts` in Turkish. */
import type { userImport as english } from '../en/import.ts'

export const userImport: Readonly<Record<keyof typeof english, string>> = {
  'import.title': 'Kullanıcıları içe aktar',
  'import.text':
    'Her uzunlukta bir dosyadan. İçe aktarılamayanlar nedeniyle birlikte listelenir; başka bir şey kaybolmaz.',
  'import.button': 'İçe aktar',
  'import.file': 'Dosya',
  'import.fileText': 'Parola hash’leri, ikinci faktörler, bağlı hesaplar ve roller de gelebilir.',
  'import.choose': 'Bir dosya seçin veya buraya bırakın',
  'import.kinds': 'JSON satırları, bir JSON dizisi veya başlıklı CSV',
  'import.sample': 'Bir JSON satırı:',
  'import.columns': 'Sütunlar',
  'import.columnsText': 'Tablonun her sütununun neyi belirttiği. Boş hücreler atlanır.',
  'import.column': '{name} sütununun anlamı',
  'import.leaveOut': 'Atla',
  'import.own': 'customData.{name}',
  'import.options': 'Başlat',
  'import.events': 'Webhook’lara bildir',
  'import.eventsText': 'İçe aktarılan her kullanıcı User.Created olarak gönderilir.',
  'import.start': 'Kullanıcıları içe aktar',
  'import.running': 'İçe aktarılıyor…',
  'import.stopped': 'Durduruldu',
  'import.finished': 'İçe aktarıldı',
  'import.failed': 'İçe aktarma erken sona erdi',
  'import.counts': '{lines} satır okundu, {created} kullanıcı oluşturuldu, {refused} satır reddedildi.',
  'import.stoppedText':
    'İçe aktarılanlar kalır. Dosyayı yeniden içe aktarırsanız kullanıcılar zaten var olduğu için o satırlar reddedilir.',
  'import.another': 'Başka bir dosya içe aktar',
  'import.refused': 'Reddedilen: {count}',
  'import.refusedText': 'Bu satırları düzeltip yeniden içe aktarın: diğer satırların kullanıcıları oluşturuldu.',
  'import.refusedLines': 'Reddedilen satırlar',
  'import.saveRefused': 'Reddedilen satırlar',
  'import.saveReasons': 'Nedenler',
  'import.line': 'Satır {line}',
  'import.more': 'İlk {shown} tanesi gösteriliyor. Tümü dosyalarda.',
}
