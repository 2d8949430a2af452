/** Turkish: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'Bu ben değildim',
  unasked:
    'Bunu siz yaptıysanız bir şey yapmanız gerekmez. Yapmadıysanız düğmeyi kullanın: hesabınızdaki herkesin oturumunu kapatır.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'Bu ben değildim',
  notMeTitle: 'Bu siz değil miydiniz?',
  notMeLead: 'Bu değişikliği başka biri yaptıysa hesabınızdaki herkesin oturumunu şimdi kapatın.',
  notMeHint:
    'Bu, tüm oturumları ve tüm uygulamaların ve kişisel erişim belirteçlerinin erişimini sona erdirir. Geri alınamaz.',
  notMeGone: 'Bu bağlantı artık geçerli değil. Yedi gün içinde bir kez kullanılabilir.',
  notMeDone: 'Herkesin oturumu kapatıldı',
  notMeDoneLead: 'Artık hesabınızda kimsenin oturumu açık değil ve hiçbir uygulamanın hesabınıza erişimi yok.',
  notMeReset:
    'Parolanız artık geçerli değil. Bir sonraki oturum açışınızda parolanızı unuttuğunuzu belirtip yeni bir parola belirleyin.',
  notMeCode:
    'Parolanız artık geçerli değil. E-posta adresinize bir kod gönderdik: yeni bir parolayla birlikte buraya girin.',
  notMeFactorCode:
    'E-posta adresinize bir kod gönderdik. İki adımlı doğrulamanıza eklenen yöntemi kaldırmak için kodu girin.',
  notMeFactorGone: 'Yöntem, iki adımlı doğrulamanızdan kaldırıldı.',
  notMeContact: 'E-posta adresiniz veya parolanız değiştirildiyse bu hizmetin destek ekibinden yardım isteyin.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'Hesabınız silinecek',
    lead: '{{host}} hesabınız, istediğiniz üzere {{date}} tarihinde silinecek. Kalması için bu bağlantıyı kullanın veya o tarihten önce oturum açın.',
    action: 'Hesabım kalsın',
    unasked:
      'Bunu siz istemediyseniz başka biri parolanızı biliyor olabilir. Hesabınızın kalmasını sağlayın ve yeni bir parola belirleyin.',
  },
  AccountChanged: { subject: 'Hesabınız değiştirildi', lead: '{{host}} hesabınız değiştirildi.', ...notMe },
  NewSignIn: { subject: 'Hesabınızda yeni oturum', lead: '{{host}} hesabınızda yeni bir oturum açıldı.', ...notMe },
}

/** What was changed. */
export const changes = {
  passwordChanged: '{{host}} hesabınızın parolası değiştirildi.',
  emailChanged: '{{host}} hesabınızın e-posta adresi değiştirildi.',
  phoneChanged: '{{host}} hesabınızın telefon numarası değiştirildi.',
  factorAdded: '{{host}} hesabınızın iki adımlı doğrulamasına bir yöntem eklendi.',
  factorRemoved: '{{host}} hesabınızın iki adımlı doğrulamasından bir yöntem kaldırıldı.',
  backupCodesCreated: '{{host}} hesabınız için yeni yedek kodlar oluşturuldu.',
  identityLinked: '{{host}} hesabınız başka bir hizmetteki bir hesaba bağlandı.',
  identityUnlinked: '{{host}} hesabınızın başka bir hizmetteki hesapla bağlantısı kaldırıldı.',
  accessTokenCreated: '{{host}} hesabınız için kişisel bir erişim belirteci oluşturuldu.',
  newSignIn: '{{host}} hesabınızda yeni bir tarayıcıdan veya yeni bir yerden oturum açıldı.',
}
