/** Portuguese: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'Confirmar uma entrada',
  backchannelLead: 'Um aplicativo pede para você entrar. Continue para ver qual é e decidir.',
  backchannelGone: 'Esta solicitação expirou ou já foi respondida.',
  backchannelConfirmTitle: 'Entrar em {application}?',
  backchannelMessage: 'Mensagem do aplicativo',
  backchannelWarning:
    'Permita somente se você esperava isso e se a mensagem é a mesma que apareceu onde você começou. Caso contrário, negue.',
  backchannelDone: 'Você permitiu a entrada',
  backchannelDoneLead: 'Você pode fechar esta janela e continuar de onde começou.',
  backchannelDenied: 'Você negou a entrada',
  backchannelDeniedLead: 'O aplicativo não recebeu acesso. Você pode fechar esta janela.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'Confirmar uma entrada',
  lead: 'Um aplicativo pede para você entrar em {{host}}. Use este link para ver qual é e decidir.',
  action: 'Ver a solicitação',
  unasked: 'Se você não esperava isso, pode ignorar este e-mail. Ninguém entra sem a sua permissão.',
}

/** The text message. */
export const backchannelSms = 'Um aplicativo pede para entrar em {{host}} como sua conta. Decida: {{link}}'
