/** The phrases of `en/home.ts` in Turkish. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'Merhaba, {name}',
  'home.recent': 'Şu anda olanlar',
  'home.allEntries': 'Günlüğü aç',

  'first.title': 'İlk adımlar',
  'first.text': 'İlk kullanıcının oturum açmasına üç adım.',
  'first.done': 'Tamam',
  'first.administrator': 'Bu sunucuyla ilgilenen bir yönetici var: siz',
  'first.application': 'Uygulamanızı kaydedin',
  'first.applicationText': 'Kullanıcıların buradan oturum açtığı bir web sitesi, uygulama veya hizmet.',
  'first.signIn': 'Uygulamanızda oturum açın',
  'first.signInText': 'Kodu uygulamanıza yapıştırın, uygulamayı başlatın ve yeni bir hesapla oturum açın.',
  'first.signedIn': 'Bir kullanıcı oturum açtı',
  'first.code': '{name} için kod',
  'first.waiting': 'İlk oturum açmanız bekleniyor…',
  'first.finished': 'Çalışıyor. Kullanıcılar uygulamanızda oturum açabilir.',
  'applications.create': 'Uygulama oluştur',
}
