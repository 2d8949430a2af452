/** The phrases of `en/application-settings.ts` in Turkish. */
import type { applicationSettings as english } from '../en/application-settings.ts'

export const applicationSettings: Readonly<Record<keyof typeof english, string>> = {
  'application.tab.look': 'Markalama',
  'tokens.maxAllowedGrants': 'Kullanıcı başına cihaz',
  'tokens.maxAllowedGrants.hint': 'Fazladan bir cihazda oturum açılınca en eski oturum kapatılır. Boş: sınırsız.',
  'tokens.algorithm': 'ID belirteçlerinin algoritması',
  'tokens.algorithmOfTenant': 'Geçerli anahtarın algoritması',

  'refused.title': 'Bu adres eklensin mi?',
  'refused.text':
    'Kullanıcılar oturum açtıktan sonra kodlarıyla birlikte oraya gönderilir. Bir bağlantı açan herkes bu kaydı oluşturabilir; yalnızca size ait olduğunu bildiğiniz bir adresi ekleyin.',
  'refused.address': 'Adres',
  'refused.count': 'Reddedilen istekler',
  'refused.last': 'Sonuncusu',
  'refused.from': 'IP adresinden',

  'signOut.title': 'Back-channel logout',
  'signOut.text': 'Oturum başka bir yerde sona erdiğinde uygulamaya bildirilir.',
  'signOut.uri': 'Back-channel logout URI’si',
  'signOut.uriHint': 'POST ile imzalı bir logout token alır. Boş: bildirilmez.',

  'identity.title': 'Kullanıcıların kimliği',
  'identity.text':
    'Uygulamanın kullanıcıları hangi tanımlayıcıyla bildiği ve ID belirteçlerinin onlar hakkında ne söylediği.',
  'identity.subjectType': 'Tanımlayıcı (sub)',
  'identity.public': 'Kullanıcının ID’si',
  'identity.pairwise': 'Kendine özel (pairwise)',
  'identity.change': 'Değişiklik her kullanıcıya başka bir tanımlayıcı verir: uygulama kimseyi tanımaz.',
  'identity.sector': 'Sector identifier URI',
  'identity.sectorHint':
    'Tanımlayıcı paylaşan tüm uygulamaların yönlendirme URI’lerini listeler. Boş: yönlendirme URI’lerinin sunucusu.',
  'identity.claims': 'ID belirteçlerindeki claim’ler',
  'identity.scopes': 'İstenen scope’lara ait olanlar',
  'identity.requested': 'Yalnızca isteğin adlandırdıkları',
  'identity.userinfo': 'Userinfo yanıtı',
  'identity.find': 'Kullanıcı bul',
  'identity.findText': 'Uygulamanın bildirdiği tanımlayıcının kime ait olduğu ve bir kullanıcıyı hangisiyle bildiği.',
  'identity.named': 'Kullanıcı ID’si veya sub',
  'identity.unknown': 'Burada bu tanımlayıcıya sahip kullanıcı yok.',
  'identity.userId': 'Kullanıcı ID’si',

  'customData.title': 'Özel veriler',
  'customData.text': 'Kendi programlarınız için saklanır. Sunucu bunları hiç okumaz.',

  'authentication.title': 'Kimlik doğrulama',
  'authentication.text': 'Uygulamanın token endpoint’inde kim olduğunu kanıtlama yolu.',
  'authentication.method': 'Yöntem',
  'authentication.client_secret_basic': 'Secret, başlıkta (Basic)',
  'authentication.client_secret_post': 'Secret, gövdede (POST)',
  'authentication.private_key_jwt': 'Özel anahtar (JWT)',
  'authentication.tls_client_auth': 'Bir CA’nın istemci sertifikası (karşılıklı TLS)',
  'authentication.self_signed_tls_client_auth': 'Kendinden imzalı istemci sertifikası (karşılıklı TLS)',
  'authentication.subject': 'Sertifikadaki ad',
  'authentication.authorities': 'CA sertifikaları',
  'authentication.authoritiesHint': 'PEM, art arda. Bu uygulama için başka hiçbir CA’ya güvenilmez.',
  'authentication.keys': 'Açık anahtarlar',
  'authentication.keysHint':
    'RSA, P-256, P-384 veya Ed25519 anahtarları içeren bir JSON Web Key Set. Özel anahtarlar uygulamada kalır.',

  'exchange.title': 'Token exchange',
  'exchange.text':
    'Hizmetler, bir belirteci başka biriyle değiştirerek kullanıcılar adına işlem yapar veya onlar adına başka API’leri çağırır.',
  'exchange.only': 'Yalnızca bunlar',
  'exchange.subjects': 'Belirteç kabul ettiği API’ler',
  'exchange.anyApi': 'Herhangi bir API',
  'exchange.targets': 'Belirteç aldığı API’ler',
  'exchange.anyTarget': 'Management API dışında herhangi bir API',

  'exchange.policies': 'Takas tablosu',
  'exchange.policiesHint':
    'JSON dizisi olarak satırlar: uygulanan ilk satır karar verir, hiçbirinin uygulanmadığı reddedilir. Boş: tablo yok.',
  'exchange.noList': 'Bu bir JSON dizisi değil.',
  'introspection.title': 'Introspection',
  'introspection.text': 'Bir API, kendisine gönderilen belirtecin geçerli olup olmadığını sorar.',
  'introspection.apis': 'Introspection yapabileceği belirteçler',
  'introspection.every': 'Tüm API’ler: bu tenant’ın bütün belirteçleri',

  'look.title': 'Oturum açma sayfalarında',
  'look.text': 'Boş olanlar tüm uygulamalardaki gibi görünür.',
  'look.displayName': 'Görünen ad',
  'look.displayNameHint': 'Kullanıcıların ad yerine gördüğü.',
  'look.thirdParty':
    'Üçüncü tarafların kullanım koşulları ve gizlilik politikası, kullanıcılardan onay istenirken gösterilir.',
  'look.customCssText': 'Tüm sayfalarınkinden sonra gelen CSS. Başka adreslerden hiçbir şey yüklemez.',
  'look.dark.tenant': 'Tüm uygulamalardaki gibi',
  'look.dark.true': 'Açık',
  'look.dark.false': 'Kapalı',

  'application.tab.access': 'Erişim',
  'application.tab.consent': 'Onay',
  'application.tab.roles': 'Roller',

  'access.title': 'Kimler oturum açabilir',
  'access.openText': 'Bu tenant’ın her kullanıcısı uygulamayı kullanabilir.',
  'access.limitedText': 'Uygulamayı yalnızca aşağıdaki listelerden birinin kabul ettiği kullanıcılar kullanabilir.',
  'access.limit': 'Yalnızca kabul edilen kullanıcılar',
  'access.limitText': 'Her oturum açmada denetlenir.',
  'access.limitFirst': 'Önce kullanıcı, rol veya kuruluş kabul edin.',
  'access.noUsers': 'Kullanıcı yok.',
  'access.noRoles': 'Rol yok.',
  'access.noOrganizations': 'Kuruluş yok.',
  'access.userText': 'Kullanıcı uygulamayı kullanabilir.',
  'access.roleText': 'Bu role sahip tüm kullanıcılar uygulamayı kullanabilir.',
  'access.organizationText': 'Hangi üyelerinin uygulamayı kullanabileceğini sonraki adımda seçersiniz.',
  'access.addOrganization': 'Kuruluş ekle',
  'access.rolesText':
    'Yalnızca belirli rollere sahip üyeleri kabul etmek için rolleri işaretleyin; hiçbiri işaretli değilse tüm üyeler kabul edilir.',
  'access.admitAll': 'Tüm üyeleri kabul et',
  'access.admitRoles': 'Bu rolleri kabul et',
  'access.allMembers': 'Tüm üyeler',
  'access.withRoles': 'Şu rollere sahip üyeler: {roles}',
  'access.remove': 'Kaldır',

  'machine.rolesText': 'Uygulamanın bir sonraki belirtecinden itibaren yapabilecekleri.',
  'machine.noRoles': 'Rol yok.',
  'machine.addRoleText': 'Uygulama, rolün izinlerini bir sonraki belirteciyle alır.',
  'machine.organizationsText': 'Uygulamanın üye olduğu yerler ve oradaki rolleri.',
  'machine.management': 'Management API',
  'machine.managementText': 'Roller tek tek izin verir. Bu ise tümünü verir.',
  'machine.admin': 'Management API’ye tam erişim',
  'machine.adminText': 'Bu tenant’taki her şeyi okuyup değiştirebilir.',
  'machine.adminWarning':
    'Secret’ına sahip olan herkes, kullanıcılar ve secret’lar dâhil bu tenant’taki her şeyi okuyup değiştirebilir.',
  'machine.give': 'Tam erişim ver',

  'consent.title': 'Kullanıcı hakkında',
  'consent.text':
    'Uygulamanın kullanıcılardan isteyebilecekleri. İsteklerindeki başka her şey yok sayılır; kalanını kullanıcılar görür ve onaylar.',
  'consent.profile': 'Ad, resim ve diğer profil verileri',
  'consent.email': 'E-posta adresi',
  'consent.phone': 'Telefon numarası',
  'consent.address': 'Posta adresi',
  'consent.customData': 'Özel veriler',
  'consent.identities': 'Bağlı hesaplar',
  'consent.roles': 'Roller',
  'consent.organizations': 'Kuruluşlar',
  'consent.organizationRoles': 'Kuruluşlardaki roller',
  'consent.sessions': 'Oturumlar',
  'consent.trustedDevices': 'Güvenilen cihazlar',
  'consent.ownText': 'Kullanıcının, uygulamanın adlarına işlem yapmasına izin verdiği kuruluşların izinleri.',
  'consent.inOrganizations': '{name}, kuruluşlarda',

  'create.thirdParty': 'Üçüncü taraf uygulama',
  'create.thirdPartyText':
    'Başka bir şirket tarafından işletilir: yapabilecekleri için kullanıcılardan onay istenir. Sonradan değiştirilemez.',
  'start.verification': 'Kullanıcıların kodu girdiği sayfa',
}
