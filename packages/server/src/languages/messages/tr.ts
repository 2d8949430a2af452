/** The texts of messages in Turkish. */

import { backchannelMail, backchannelSms } from '../backchannel/tr.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/tr.ts'

const CHANGE_PASSWORD =
  'Bunu siz istemediyseniz hesabınızda başka biri oturum açmış olabilir. Yeni bir parola belirleyin ve bu kodu paylaşmayın.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'Oturum açma kodunuz',
      lead: '{{host}} üzerinde oturum açmak için bu kodu kullanın.',
      unasked: 'Oturum açmaya çalışmadıysanız bu e-postayı yok sayabilirsiniz. Kod olmadan kimse oturum açamaz.',
    },
    Register: {
      subject: 'Kayıt kodunuz',
      lead: '{{host}} üzerinde hesabınızı oluşturmak için bu kodu kullanın.',
      unasked: 'Hesap oluşturmak istemediyseniz bu e-postayı yok sayabilirsiniz. Kod olmadan hesap oluşturulmaz.',
    },
    ForgotPassword: {
      subject: 'Yeni parola kodunuz',
      lead: '{{host}} üzerinde yeni bir parola belirlemek için bu kodu kullanın.',
      unasked: 'Yeni parola istemediyseniz bu e-postayı yok sayabilirsiniz. Parolanız değişmez.',
    },
    BindNewIdentifier: {
      subject: 'Bu adresi ekleme kodunuz',
      lead: 'Bu adresi {{host}} hesabınıza eklemek için bu kodu kullanın.',
      unasked: 'Bunu siz istemediyseniz bu e-postayı yok sayabilirsiniz. Kod olmadan adres eklenmez.',
    },
    MfaVerification: {
      subject: 'İki adımlı doğrulama kodunuz',
      lead: '{{host}} üzerinde oturum açanın siz olduğunuzu doğrulamak için bu kodu kullanın.',
      unasked:
        'Oturum açmaya çalışmadıysanız parolanızı başka biri biliyor olabilir. Yeni bir parola belirleyin ve bu kodu paylaşmayın.',
    },
    BindMfa: {
      subject: 'İki adımlı doğrulamayı ayarlama kodunuz',
      lead: '{{host}} hesabınız için iki adımlı doğrulamayı ayarlamak üzere bu kodu kullanın.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'Değişikliği onaylama kodunuz',
      lead: '{{host}} hesabınızdaki bir değişikliği onaylamak için bu kodu kullanın.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'Oturum açma bağlantınız',
      lead: '{{host}} üzerinde oturum açmak için bu bağlantıyı kullanın.',
      action: 'Oturum aç',
      unasked:
        'Oturum açmaya çalışmadıysanız bu e-postayı yok sayabilirsiniz. İletmeyin: bağlantıya sahip olan herkes sizin yerinize oturum açabilir.',
    },
    OrganizationInvitation: {
      subject: 'Davet edildiniz',
      lead: '{{host}} üzerinde {{organizationName}} kuruluşuna davet edildiniz.',
      action: 'Daveti görüntüle',
      unasked: 'Bu daveti beklemiyorsanız bu e-postayı yok sayabilirsiniz. Yalnızca kabul ederseniz üye olursunuz.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'Doğrulama kodunuz',
      lead: 'Bu kodu {{host}} üzerinde kullanın.',
      unasked: 'Bu e-postayı beklemiyorsanız yok sayabilirsiniz.',
    },
  },
  changes,
  codeLife: 'Geçerlilik süresi: {{duration}}.',
  codeNote: 'Kimseyle paylaşmayın. Bu kodu sizden asla istemeyiz.',
  linkLife: 'Bağlantının geçerlilik süresi: {{duration}}.',
  linkFallback: 'Düğme çalışmazsa bu adresi tarayıcınıza kopyalayın:',
  open: 'Devam',
  sms: {
    SignIn: '{{host}} oturum açma kodunuz: {{code}}. Kimseyle paylaşmayın.',
    Register: '{{host}} hesap oluşturma kodunuz: {{code}}. Kimseyle paylaşmayın.',
    ForgotPassword: '{{host}} yeni parola kodunuz: {{code}}. Kimseyle paylaşmayın.',
    BindNewIdentifier: '{{host}} numara ekleme kodunuz: {{code}}. Kimseyle paylaşmayın.',
    MfaVerification: '{{host}} oturum onay kodunuz: {{code}}. Kimseyle paylaşmayın.',
    BindMfa: '{{host}} iki adımlı doğrulama kodunuz: {{code}}. Kimseyle paylaşmayın.',
    UserPermissionValidation: '{{host}} değişiklik onay kodunuz: {{code}}. Kimseyle paylaşmayın.',
    BackchannelAuthentication: backchannelSms,
    MagicLink: '{{host}} oturum açma bağlantınız: {{link}}',
    AccountDeletion: '{{host}} hesabınız {{date}} tarihinde silinecek. Kalması için: {{link}}',
    OrganizationInvitation: '{{host}} üzerinde {{organizationName}} kuruluşuna davet edildiniz: {{link}}',
    Generic: '{{host}} doğrulama kodunuz: {{code}}. Kimseyle paylaşmayın.',
  },
}
