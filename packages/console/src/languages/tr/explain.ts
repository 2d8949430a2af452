/** The phrases of `en/explain.ts` in Turkish. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    'Bir belirteçte neden bir scope var veya yok? Yanıt, belirteçleri veren koddan gelir; hiçbir şey verilmez.',
  'explain.question': 'Oturum açan',
  'explain.application': 'Uygulama',
  'explain.choose': 'Seçin…',
  'explain.noneOf': 'Yok',
  'explain.userText': 'Oturum açacak kullanıcı.',
  'explain.applicationText': 'Belirteci isteyecek uygulama.',
  'explain.scope': 'Scope’lar',
  'explain.scopeHint': 'Aralarında boşluk olan adlar. Boş: API’nin tüm izinleri.',
  'explain.ask': 'Açıkla',
  'explain.none': 'Bir kullanıcı ve bir uygulama seçin',
  'explain.noneText': 'Ardından kullanıcının şu anda orada hangi belirteci, hangi rollerle alacağını görürsünüz.',
  'explain.jwt': 'API için bir JWT',
  'explain.opaque': 'Opak bir belirteç',
  'explain.refused': 'Belirteç yok',
  'explain.audience': 'Audience',
  'explain.userinfo': 'Userinfo endpoint’i',
  'explain.why': 'Neden bu',
  'explain.scopes': 'İstenen scope’lar',
  'explain.granted': 'Verildi',
  'explain.missing': 'Verilmedi',
  'explain.through': 'Buna sahip roller:',
  'explain.inOrganization': '{name} (kuruluşta)',
}
