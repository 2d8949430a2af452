/** The texts of messages in Spanish. */

import { backchannelMail, backchannelSms } from '../backchannel/es.ts'
import type { MessageTexts } from '../message-texts.ts'
import { changeMails, changes } from '../owner-notices/es.ts'

const code = (purpose: string) => `{{code}} es tu código para ${purpose} en {{host}}. No lo compartas.`
const CHANGE_PASSWORD =
  'Si no lo has solicitado, puede que otra persona haya iniciado sesión en tu cuenta. Cambia la contraseña y no compartas este código.'

export const messages: MessageTexts = {
  mail: {
    SignIn: {
      subject: 'Tu código para iniciar sesión',
      lead: 'Usa este código para iniciar sesión en {{host}}.',
      unasked:
        'Si no has intentado iniciar sesión, puedes ignorar este correo. Nadie puede iniciar sesión sin el código.',
    },
    Register: {
      subject: 'Tu código de registro',
      lead: 'Usa este código para crear tu cuenta en {{host}}.',
      unasked: 'Si no querías crear una cuenta, puedes ignorar este correo. Sin el código no se crea ninguna cuenta.',
    },
    ForgotPassword: {
      subject: 'Tu código para cambiar la contraseña',
      lead: 'Usa este código para establecer una contraseña nueva en {{host}}.',
      unasked: 'Si no has pedido una contraseña nueva, puedes ignorar este correo. Tu contraseña no cambia.',
    },
    BindNewIdentifier: {
      subject: 'Tu código para añadir esta dirección',
      lead: 'Usa este código para añadir esta dirección a tu cuenta de {{host}}.',
      unasked: 'Si no lo has solicitado, puedes ignorar este correo. Sin el código, la dirección no se añade.',
    },
    MfaVerification: {
      subject: 'Tu código de verificación en dos pasos',
      lead: 'Usa este código para confirmar que eres tú quien inicia sesión en {{host}}.',
      unasked:
        'Si no has intentado iniciar sesión, puede que otra persona sepa tu contraseña. Cámbiala y no compartas este código.',
    },
    BindMfa: {
      subject: 'Tu código para activar la verificación en dos pasos',
      lead: 'Usa este código para activar la verificación en dos pasos en tu cuenta de {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    UserPermissionValidation: {
      subject: 'Tu código para confirmar un cambio',
      lead: 'Usa este código para confirmar un cambio en tu cuenta de {{host}}.',
      unasked: CHANGE_PASSWORD,
    },
    MagicLink: {
      subject: 'Tu enlace para iniciar sesión',
      lead: 'Usa este enlace para iniciar sesión en {{host}}.',
      action: 'Iniciar sesión',
      unasked:
        'Si no has intentado iniciar sesión, puedes ignorar este correo. No lo reenvíes: quien tenga el enlace puede iniciar sesión como tú.',
    },
    OrganizationInvitation: {
      subject: 'Tienes una invitación',
      lead: 'Te han invitado a unirte a {{organizationName}} en {{host}}.',
      action: 'Ver la invitación',
      unasked: 'Si no esperabas esta invitación, puedes ignorar este correo. Solo serás miembro si la aceptas.',
    },
    BackchannelAuthentication: backchannelMail,
    ...changeMails,
    Generic: {
      subject: 'Tu código de verificación',
      lead: 'Usa este código en {{host}}.',
      unasked: 'Si no esperabas este correo, puedes ignorarlo.',
    },
  },
  changes,
  codeLife: 'Es válido durante {{duration}}.',
  codeNote: 'No lo compartas. Nunca te lo pediremos.',
  linkLife: 'El enlace es válido durante {{duration}}.',
  linkFallback: 'Si el botón no funciona, copia esta dirección en tu navegador:',
  open: 'Continuar',
  sms: {
    SignIn: code('iniciar sesión'),
    Register: code('crear tu cuenta'),
    ForgotPassword: code('cambiar la contraseña'),
    BindNewIdentifier: code('añadir este número'),
    MfaVerification: code('confirmar el inicio de sesión'),
    BindMfa: code('activar la verificación en dos pasos'),
    UserPermissionValidation: code('confirmar un cambio'),
    BackchannelAuthentication: backchannelSms,
    MagicLink: 'Tu enlace para iniciar sesión en {{host}}: {{link}}',
    AccountDeletion: 'Tu cuenta en {{host}} se eliminará el {{date}}. Para conservarla: {{link}}',
    OrganizationInvitation: 'Te han invitado a unirte a {{organizationName}} en {{host}}: {{link}}',
    Generic: '{{code}} es tu código de verificación en {{host}}. No lo compartas.',
  },
}
