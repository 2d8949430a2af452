/** Turkish: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'Oturum açmayı onaylayın',
  backchannelLead: 'Bir uygulama oturumunuzu açmak istiyor. Hangisi olduğunu görmek ve karar vermek için devam edin.',
  backchannelGone: 'Bu isteğin süresi doldu veya istek zaten yanıtlandı.',
  backchannelConfirmTitle: '{application} oturumu açılsın mı?',
  backchannelMessage: 'Uygulamanın mesajı',
  backchannelWarning:
    'Yalnızca bunu bekliyorsanız ve mesaj, başladığınız yerde gördüğünüzle aynıysa izin verin. Aksi takdirde reddedin.',
  backchannelDone: 'Oturum açmaya izin verdiniz',
  backchannelDoneLead: 'Bu pencereyi kapatıp başladığınız yerde devam edebilirsiniz.',
  backchannelDenied: 'Oturum açmayı reddettiniz',
  backchannelDeniedLead: 'Uygulamaya erişim verilmedi. Bu pencereyi kapatabilirsiniz.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'Oturum açmayı onaylayın',
  lead: 'Bir uygulama {{host}} üzerinde oturumunuzu açmak istiyor. Hangisi olduğunu görmek ve karar vermek için bu bağlantıyı kullanın.',
  action: 'İsteği gör',
  unasked: 'Bunu beklemiyorsanız bu e-postayı yok sayabilirsiniz. Siz izin vermeden kimsenin oturumu açılmaz.',
}

/** The text message. */
export const backchannelSms = 'Bir uygulama {{host}} oturumunuzu açmak istiyor. Karar verin: {{link}}'
