/** The texts of messages in Polish. */

import { backchannelMail, backchannelSms } from '../backchannel/pl.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/pl.ts'

const CHANGE_PASSWORD =
  'Jeśli to nie Twoja prośba, ktoś inny może być zalogowany na Twoje konto. Ustaw nowe hasło i nikomu nie podawaj tego kodu.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'Twój kod logowania',
      lead: 'Użyj tego kodu, aby zalogować się do {{host}}.',
      unasked: 'Jeśli nie próbujesz się zalogować, możesz zignorować tę wiadomość. Bez kodu nikt się nie zaloguje.',
    },
    Register: {
      subject: 'Twój kod rejestracyjny',
      lead: 'Użyj tego kodu, aby utworzyć konto w {{host}}.',
      unasked: 'Jeśli nie chcesz tworzyć konta, możesz zignorować tę wiadomość. Bez kodu konto nie powstanie.',
    },
    ForgotPassword: {
      subject: 'Twój kod do ustawienia nowego hasła',
      lead: 'Użyj tego kodu, aby ustawić nowe hasło w {{host}}.',
      unasked: 'Jeśli to nie Ty prosisz o nowe hasło, możesz zignorować tę wiadomość. Hasło pozostanie bez zmian.',
    },
    BindNewIdentifier: {
      subject: 'Twój kod do dodania tego adresu',
      lead: 'Użyj tego kodu, aby dodać ten adres do swojego konta w {{host}}.',
      unasked: 'Jeśli to nie Twoja prośba, możesz zignorować tę wiadomość. Bez kodu adres nie zostanie dodany.',
    },
    MfaVerification: {
      subject: 'Twój kod weryfikacji dwuetapowej',
      lead: 'Użyj tego kodu, aby potwierdzić, że to Ty logujesz się do {{host}}.',
      unasked:
        'Jeśli nie próbujesz się zalogować, ktoś inny może znać Twoje hasło. Ustaw nowe i nikomu nie podawaj tego kodu.',
    },
    BindMfa: {
      subject: 'Twój kod do włączenia weryfikacji dwuetapowej',
      lead: 'Użyj tego kodu, aby włączyć weryfikację dwuetapową na swoim koncie w {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'Twój kod do potwierdzenia zmiany',
      lead: 'Użyj tego kodu, aby potwierdzić zmianę na swoim koncie w {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'Twój link do logowania',
      lead: 'Użyj tego linku, aby zalogować się do {{host}}.',
      action: 'Zaloguj się',
      unasked:
        'Jeśli nie próbujesz się zalogować, możesz zignorować tę wiadomość. Nie przekazuj jej dalej: każdy, kto ma link, może zalogować się jako Ty.',
    },
    OrganizationInvitation: {
      subject: 'Masz zaproszenie',
      lead: 'Masz zaproszenie do {{organizationName}} w {{host}}.',
      action: 'Zobacz zaproszenie',
      unasked:
        'Jeśli nie oczekujesz tego zaproszenia, możesz zignorować tę wiadomość. Członkostwo wymaga przyjęcia zaproszenia.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'Twój kod weryfikacyjny',
      lead: 'Użyj tego kodu w {{host}}.',
      unasked: 'Jeśli nie oczekujesz tej wiadomości, możesz ją zignorować.',
    },
  },
  changes,
  codeLife: 'Czas ważności: {{duration}}.',
  codeNote: 'Nikomu go nie podawaj. Nigdy o niego nie poprosimy.',
  linkLife: 'Czas ważności linku: {{duration}}.',
  linkFallback: 'Jeśli przycisk nie działa, skopiuj ten adres do przeglądarki:',
  open: 'Dalej',
  sms: {
    SignIn: '{{code}} to Twój kod logowania do {{host}}. Nikomu go nie podawaj.',
    Register: '{{code}} to Twój kod do utworzenia konta w {{host}}. Nikomu go nie podawaj.',
    ForgotPassword: '{{code}} to Twój kod do nowego hasła w {{host}}. Nikomu go nie podawaj.',
    BindNewIdentifier: '{{code}} to Twój kod do dodania tego numeru w {{host}}. Nikomu go nie podawaj.',
    MfaVerification: '{{code}} to Twój kod do potwierdzenia logowania do {{host}}. Nikomu go nie podawaj.',
    BindMfa: '{{code}} to Twój kod do weryfikacji dwuetapowej w {{host}}. Nikomu go nie podawaj.',
    UserPermissionValidation: '{{code}} to Twój kod do potwierdzenia zmiany w {{host}}. Nikomu go nie podawaj.',
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'Twój link do logowania do {{host}}: {{link}}',
    AccountDeletion: 'Twoje konto w {{host}} zostanie usunięte {{date}}. Aby je zachować: {{link}}',
    OrganizationInvitation: 'Masz zaproszenie do {{organizationName}} w {{host}}: {{link}}',
    Generic: '{{code}} to Twój kod weryfikacyjny w {{host}}. Nikomu go nie podawaj.',
  },
}
