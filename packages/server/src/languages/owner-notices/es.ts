/** Spanish: what owners of accounts are told of changes, and the page where they say that it was not them. */

const notMe = {
  action: 'No he sido yo',
  unasked:
    'Si has sido tú, no tienes que hacer nada. Si no, usa el botón: cierra la sesión de todas las personas que están en tu cuenta.',
}

/** Phrases of the page. */
export const notMePhrases = {
  notMe: 'No he sido yo',
  notMeTitle: '¿No has sido tú?',
  notMeLead: 'Si otra persona ha hecho este cambio, cierra ahora todas las sesiones de tu cuenta.',
  notMeHint:
    'Así terminan todas las sesiones y el acceso de todas las aplicaciones y tokens de acceso personales. No se puede deshacer.',
  notMeGone: 'Este enlace ya no es válido. Se puede usar una vez, en un plazo de siete días.',
  notMeDone: 'Se han cerrado todas las sesiones',
  notMeDoneLead: 'Ya nadie tiene la sesión iniciada en tu cuenta y ninguna aplicación tiene acceso a ella.',
  notMeReset:
    'Tu contraseña ya no sirve. En el próximo inicio de sesión, elige la opción de contraseña olvidada y define una nueva.',
  notMeCode:
    'Tu contraseña ya no sirve. Hemos enviado un código a tu dirección de correo: escríbelo aquí junto con una contraseña nueva.',
  notMeFactorCode:
    'Hemos enviado un código a tu dirección de correo. Escríbelo para quitar el método que se añadió a tu verificación en dos pasos.',
  notMeFactorGone: 'Se ha quitado el método de tu verificación en dos pasos.',
  notMeContact: 'Si se ha cambiado tu dirección de correo o tu contraseña, pide ayuda al servicio de asistencia.',
}

/** The mails. */
export const changeMails = {
  AccountDeletion: {
    subject: 'Tu cuenta se eliminará',
    lead: 'Tu cuenta en {{host}} se eliminará el {{date}}, como has pedido. Para conservarla, usa este enlace o inicia sesión antes de esa fecha.',
    action: 'Conservar mi cuenta',
    unasked:
      'Si no lo has pedido tú, es posible que otra persona conozca tu contraseña. Conserva tu cuenta y elige una contraseña nueva.',
  },
  AccountChanged: {
    subject: 'Se ha modificado tu cuenta',
    lead: 'Se ha modificado tu cuenta en {{host}}.',
    ...notMe,
  },
  NewSignIn: {
    subject: 'Nuevo inicio de sesión en tu cuenta',
    lead: 'Ha habido un nuevo inicio de sesión en tu cuenta en {{host}}.',
    ...notMe,
  },
}

/** What was changed. */
export const changes = {
  passwordChanged: 'Se ha cambiado la contraseña de tu cuenta en {{host}}.',
  emailChanged: 'Se ha cambiado la dirección de correo de tu cuenta en {{host}}.',
  phoneChanged: 'Se ha cambiado el número de teléfono de tu cuenta en {{host}}.',
  factorAdded: 'Se ha añadido un método a la verificación en dos pasos de tu cuenta en {{host}}.',
  factorRemoved: 'Se ha quitado un método de la verificación en dos pasos de tu cuenta en {{host}}.',
  backupCodesCreated: 'Se han creado nuevos códigos de respaldo para tu cuenta en {{host}}.',
  identityLinked: 'Tu cuenta en {{host}} se ha vinculado a una cuenta de otro servicio.',
  identityUnlinked: 'Se ha quitado el vínculo de tu cuenta en {{host}} con una cuenta de otro servicio.',
  accessTokenCreated: 'Se ha creado un token de acceso personal para tu cuenta en {{host}}.',
  newSignIn: 'Se ha iniciado sesión en tu cuenta en {{host}} desde un navegador o un lugar nuevos.',
}
