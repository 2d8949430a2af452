/** The texts of messages in Italian. */

import { backchannelMail, backchannelSms } from '../backchannel/it.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/it.ts'

const CHANGE_PASSWORD =
  'Se non l’hai richiesto tu, forse qualcun altro ha effettuato l’accesso al tuo account. Cambia la password e non condividere questo codice.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'Il tuo codice di accesso',
      lead: 'Usa questo codice per accedere a {{host}}.',
      unasked: 'Se non hai provato ad accedere, puoi ignorare questa email. Nessuno può accedere senza il codice.',
    },
    Register: {
      subject: 'Il tuo codice di registrazione',
      lead: 'Usa questo codice per creare il tuo account su {{host}}.',
      unasked:
        'Se non volevi creare un account, puoi ignorare questa email. Senza il codice non viene creato alcun account.',
    },
    ForgotPassword: {
      subject: 'Il tuo codice per una nuova password',
      lead: 'Usa questo codice per impostare una nuova password su {{host}}.',
      unasked: 'Se non hai richiesto una nuova password, puoi ignorare questa email. La tua password resta invariata.',
    },
    BindNewIdentifier: {
      subject: 'Il tuo codice per aggiungere questo indirizzo',
      lead: 'Usa questo codice per aggiungere questo indirizzo al tuo account su {{host}}.',
      unasked: 'Se non l’hai richiesto tu, puoi ignorare questa email. Senza il codice l’indirizzo non viene aggiunto.',
    },
    MfaVerification: {
      subject: 'Il tuo codice per la verifica in due passaggi',
      lead: 'Usa questo codice per confermare che sei tu ad accedere a {{host}}.',
      unasked:
        'Se non hai provato ad accedere, forse qualcun altro conosce la tua password. Cambiala e non condividere questo codice.',
    },
    BindMfa: {
      subject: 'Il tuo codice per attivare la verifica in due passaggi',
      lead: 'Usa questo codice per attivare la verifica in due passaggi per il tuo account su {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'Il tuo codice per confermare una modifica',
      lead: 'Usa questo codice per confermare una modifica al tuo account su {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'Il tuo link di accesso',
      lead: 'Usa questo link per accedere a {{host}}.',
      action: 'Accedi',
      unasked:
        'Se non hai provato ad accedere, puoi ignorare questa email. Non inoltrarla: chiunque abbia il link può accedere al posto tuo.',
    },
    OrganizationInvitation: {
      subject: 'Hai ricevuto un invito',
      lead: 'Hai ricevuto un invito a unirti a {{organizationName}} su {{host}}.',
      action: 'Vedi l’invito',
      unasked: 'Se non ti aspettavi questo invito, puoi ignorare questa email. Diventerai membro solo se accetti.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'Il tuo codice di verifica',
      lead: 'Usa questo codice su {{host}}.',
      unasked: 'Se non ti aspettavi questa email, puoi ignorarla.',
    },
  },
  changes,
  codeLife: 'È valido per {{duration}}.',
  codeNote: 'Non condividerlo. Non te lo chiederemo mai.',
  linkLife: 'Il link è valido per {{duration}}.',
  linkFallback: 'Se il pulsante non funziona, copia questo indirizzo nel browser:',
  open: 'Continua',
  sms: {
    SignIn: '{{code}} è il tuo codice per accedere a {{host}}. Non condividerlo.',
    Register: '{{code}} è il tuo codice per creare il tuo account su {{host}}. Non condividerlo.',
    ForgotPassword: '{{code}} è il tuo codice per una nuova password su {{host}}. Non condividerlo.',
    BindNewIdentifier: '{{code}} è il tuo codice per aggiungere questo numero su {{host}}. Non condividerlo.',
    MfaVerification: "{{code}} è il tuo codice per confermare l'accesso a {{host}}. Non condividerlo.",
    BindMfa: '{{code}} è il tuo codice per attivare la verifica in due passaggi su {{host}}. Non condividerlo.',
    UserPermissionValidation: '{{code}} è il tuo codice per confermare una modifica su {{host}}. Non condividerlo.',
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'Il tuo link per accedere a {{host}}: {{link}}',
    AccountDeletion: 'Il tuo account su {{host}} verrà eliminato il {{date}}. Per mantenerlo: {{link}}',
    OrganizationInvitation: 'Hai ricevuto un invito a unirti a {{organizationName}} su {{host}}: {{link}}',
    Generic: '{{code}} è il tuo codice di verifica su {{host}}. Non condividerlo.',
  },
}
