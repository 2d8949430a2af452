/** Spanish: what users read when an application asks for them without a browser: the pages, and the message. */
import type { BackchannelPhrases } from './en.ts'

/** Phrases of the pages. */
export const backchannelPhrases: BackchannelPhrases = {
  backchannelTitle: 'Confirmar un inicio de sesión',
  backchannelLead: 'Una aplicación pide iniciar tu sesión. Continúa para ver cuál es y decidir.',
  backchannelGone: 'Esta solicitud ha caducado o ya se ha respondido.',
  backchannelConfirmTitle: '¿Iniciar sesión en {application}?',
  backchannelMessage: 'Mensaje de la aplicación',
  backchannelWarning:
    'Permítelo solo si lo esperabas y el mensaje es el mismo que viste donde empezaste. Si no, recházalo.',
  backchannelDone: 'Has permitido el inicio de sesión',
  backchannelDoneLead: 'Puedes cerrar esta ventana y continuar donde empezaste.',
  backchannelDenied: 'Has rechazado el inicio de sesión',
  backchannelDeniedLead: 'La aplicación no ha obtenido acceso. Puedes cerrar esta ventana.',
}

/** The mail. */
export const backchannelMail = {
  subject: 'Confirmar un inicio de sesión',
  lead: 'Una aplicación pide iniciar tu sesión en {{host}}. Usa este enlace para ver cuál es y decidir.',
  action: 'Ver la solicitud',
  unasked: 'Si no lo esperabas, puedes ignorar este correo. Nadie inicia sesión si no lo permites.',
}

/** The text message. */
export const backchannelSms = 'Una aplicación pide iniciar tu sesión en {{host}}. Decide aquí: {{link}}'
