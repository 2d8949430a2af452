/** The phrases of `en/connectors.ts` in Turkish. */
import type { connectors as english } from '../en/connectors.ts'

export const connectors: Readonly<Record<keyof typeof english, string>> = {
  'connectors.text': 'Kullanıcılara mesaj ileten hizmetler ve kullanıcıların oturum açtığı sağlayıcılar.',
  'connectors.email': 'E-posta',
  'connectors.emailText': 'Kodları, bağlantıları ve bildirimleri e-postayla iletir.',
  'connectors.noEmail': 'Ayarlanmadı: kullanıcılar e-postayla kod veya bağlantı alamaz.',
  'connectors.sms': 'SMS',
  'connectors.smsText': 'Kodları telefonlara iletir.',
  'connectors.noSms': 'Ayarlanmadı: kullanıcılar telefon numarası ve kodla oturum açamaz.',
  'connectors.social': 'Sosyal hesapla oturum açma',
  'connectors.socialText': 'Kullanıcılar başka yerdeki hesaplarıyla oturum açar.',
  'connectors.noSocial': 'Henüz yok.',
  'connectors.sso': 'Kurumsal SSO',
  'connectors.ssoText':
    'Adresi bir şirketin alan adında olan kullanıcılar o şirketin kimlik sağlayıcısında oturum açar.',
  'connectors.noSso': 'Henüz yok.',
  'connectors.ssoOff':
    'Kurumsal SSO kapalı: hiçbir kullanıcı bu kimlik sağlayıcılara gönderilmez. Açmak için birine girin.',
  'connectors.setUp': 'Ayarla',
  'connectors.replace': 'Değiştir',
  'connectors.addSocial': 'Sağlayıcı ekle',
  'connectors.addSso': 'Şirket ekle',
  'connectors.notOffered': 'Sunulmuyor',
  'connectors.noDomains': '{provider} · henüz alan adı yok',
  'connectors.incomplete': 'Eksik',
  'connectors.complete': 'Tamam',
  'connectors.incompleteText':
    'Yapılandırma eksik: tamamlanana kadar bu kimlik sağlayıcıya hiçbir kullanıcı gönderilmez.',
  'connectors.choose': 'Hizmeti seçin.',
  'connectors.create': 'Bağlayıcı oluştur',
  'connectors.created': '{name} oluşturuldu',
  'connectors.replaces': 'Oluşturduğunuz anda şunun yerini alır: {name}.',
  'connectors.settings': 'Yapılandırma',
  'connectors.optional': 'Diğer ayarlar',
  'connectors.default': 'Varsayılan',
  'connectors.yes': 'Evet',
  'connectors.no': 'Hayır',
  'connectors.noJson': 'Bu geçerli bir JSON değil.',
  'connectors.target': 'Sağlayıcının tanımlayıcısı',
  'connectors.targetHint': 'Kullanıcıların kimlikleri bunun altında saklanır. Sonradan değiştirilemez.',
  'connectors.nameHint': 'Oturum açma sayfasındaki düğmede yazdığı gibi.',
  'connectors.syncProfile': 'Her oturum açmada profili güncelle',
  'connectors.syncProfile.hint': 'Ad ve resim sağlayıcıyı izler. Kapalı: yalnızca kayıtta alınır.',
  'connectors.enableTokenStorage': 'Sağlayıcının belirteçlerini sakla',
  'connectors.enableTokenStorage.hint':
    'Şifrelenmiş olarak; böylece uygulamalar kullanıcı için sağlayıcının API’sini çağırabilir. Kapalı: saklanan belirteçler silinir.',
  'connectors.setup': 'Kurulum',
  'connectors.callback': 'Yönlendirme URI’si (callback adresi)',
  'connectors.callbackHint': 'Sağlayıcıda aynen burada göründüğü gibi kaydedin.',
  'connectors.callbackLater':
    'Sağlayıcıda kaydedilecek yönlendirme URI’si, bağlayıcı oluşturulur oluşturulmaz burada kopyalanmak üzere görünür.',
  'connectors.offered': 'Oturum açma sayfasında sun',
  'connectors.offeredText': 'Kullanıcılar bunun için bir düğme görür.',
  'connectors.check': 'Sağlayıcıyı denetle',
  'connectors.checked': 'Sağlayıcının client’ı ve yönlendirme URI’sini tanıyıp tanımadığı ilk oturum açmada anlaşılır.',
  'connectors.check.ok': 'Kullanıcılar oraya gönderilebilir',
  'connectors.check.warning': 'Kullanıcılar oraya gönderilebilir, ancak yakında gönderilemeyecek',
  'connectors.check.problem': 'Kullanıcılar orada oturum açamaz',
  'connectors.ssoSetupText': 'Şirketin kimlik sağlayıcısının bilmesi gerekenler.',
  'connectors.ssoLater':
    'Şimdilik ad ve alan adları yeterli: oluşturduktan sonra kimlik sağlayıcının istediği adresleri alır, yapılandırmayı onun verdikleriyle tamamlarsınız.',
  'connectors.entityId': 'Entity ID ve metadata adresi',
  'connectors.acs': 'Assertion consumer service (reply URL)',
  'connectors.domains': 'E-posta alan adları',
  'connectors.domainsHint':
    'Her satıra bir tane. Bu adreslere sahip kullanıcılar parola veya kodla değil, şirkette oturum açar.',
  'connectors.ssoSwitch': 'Bu tenant için kurumsal SSO',
  'connectors.ssoSwitchText': 'Kapalı: hiçbir kullanıcı bir şirketin kimlik sağlayıcısına gönderilmez.',
  'connectors.delete': 'Bağlayıcıyı sil',
  'connectors.deleteText': 'Bu türdeki mesajlar artık gönderilmez. Bu işlem geri alınamaz.',
  'connectors.deleteSocialText': 'Kullanıcılar artık bu sağlayıcıyla oturum açamaz. Bu işlem geri alınamaz.',
  'connectors.deleteSsoText':
    'Kullanıcıları kalır, şirketteki kimliklerini kaybeder ve başka bir yolla oturum açmak zorunda kalır. Bu işlem geri alınamaz.',
  'connectors.deleted': '{name} silindi',
  'connectors.test': 'Test mesajı',
  'connectors.testText': 'Kaydedilmeden önce de, yukarıda yazılı yapılandırmayla gönderilir.',
  'connectors.testEmail': 'Gönderilecek e-posta adresi',
  'connectors.testPhone': 'Gönderilecek telefon numarası',
  'connectors.send': 'Test mesajı gönder',
  'connectors.tested': 'Mesaj kabul edildi. Birazdan ulaşmalıdır.',
  'connectors.advice.address':
    'Host adını kontrol edin. Herkese açık olmayan bir adres, sunucunun OUTBOUND_ALLOW listesinde bulunmalıdır.',
  'connectors.advice.plain':
    'Parola ağdan şifrelenmeden geçerdi. TLS portunu (“secure” ile 465 veya 587) ya da başka bir sunucu kullanın.',
  'connectors.advice.connect':
    'Host ve portu, ayrıca bu sunucu ile posta sunucusu veya sağlayıcı arasındaki bir güvenlik duvarının bağlantıya izin verip vermediğini kontrol edin.',
  'connectors.advice.tls':
    'Şifreli bağlantı kurulamadı. Portun TLS’i hemen mi (“secure”) yoksa STARTTLS ile mi kullandığını ve sertifikanın host için geçerli olup olmadığını kontrol edin.',
  'connectors.advice.login':
    'Kimlik bilgileri reddedildi. Kullanıcı adını ve parolayı ya da anahtarı ve izinlerini kontrol edin.',
  'connectors.advice.sender': 'Gönderen reddedildi. Sağlayıcının bu hesap için doğruladığı bir gönderen olmalıdır.',
  'connectors.advice.recipient':
    'Alıcı reddedildi. Deneme hesaplarında sağlayıcılar yalnızca orada doğruladığınız alıcılara gönderir.',
  'connectors.advice.message': 'Mesaj reddedildi. Şablonları kontrol edin.',
  'connectors.advice.limit': 'Hesabın sınırına ulaşıldı. Bekleyin veya sınırı sağlayıcıda yükseltin.',
  'connectors.advice.fault':
    'Sağlayıcının kendisinde bir arıza var. Daha sonra yeniden deneyin veya durum sayfasına bakın.',
  'connectors.advice.protocol':
    'Yanıt veren, beklenen protokolü konuşmuyor. Portu ve adresin hizmete ait olduğunu kontrol edin.',
}
