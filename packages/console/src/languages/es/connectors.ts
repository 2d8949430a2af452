/** The phrases of `en/connectors.ts` in Spanish. */
import type { connectors as english } from '../en/connectors.ts'

export const connectors: Readonly<Record<keyof typeof english, string>> = {
  'connectors.text': 'Los servicios que llevan mensajes a los usuarios y los proveedores en los que inician sesión.',
  'connectors.email': 'Correo electrónico',
  'connectors.emailText': 'Lleva códigos, enlaces y avisos por correo electrónico.',
  'connectors.noEmail': 'Sin configurar: los usuarios no pueden recibir códigos ni enlaces por correo electrónico.',
  'connectors.sms': 'SMS',
  'connectors.smsText': 'Lleva códigos a los teléfonos.',
  'connectors.noSms': 'Sin configurar: los usuarios no pueden iniciar sesión con un número de teléfono y un código.',
  'connectors.social': 'Inicio de sesión social',
  'connectors.socialText': 'Los usuarios inician sesión con la cuenta que tienen en otro lugar.',
  'connectors.noSocial': 'Aún no hay ninguno.',
  'connectors.sso': 'SSO de empresa',
  'connectors.ssoText':
    'Los usuarios con una dirección del dominio de una empresa inician sesión en su proveedor de identidad.',
  'connectors.noSso': 'Aún no hay ninguno.',
  'connectors.ssoOff':
    'El SSO de empresa está desactivado: ningún usuario se envía a estos proveedores de identidad. Abre uno para activarlo.',
  'connectors.setUp': 'Configurar',
  'connectors.replace': 'Sustituir',
  'connectors.addSocial': 'Añadir proveedor',
  'connectors.addSso': 'Añadir empresa',
  'connectors.notOffered': 'No se ofrece',
  'connectors.noDomains': '{provider} · aún sin dominios',
  'connectors.incomplete': 'Incompleta',
  'connectors.complete': 'Completa',
  'connectors.incompleteText':
    'La configuración no está completa: hasta que lo esté, ningún usuario se envía a este proveedor de identidad.',
  'connectors.choose': 'Elige el servicio.',
  'connectors.create': 'Crear conector',
  'connectors.created': 'Se ha creado {name}',
  'connectors.replaces': 'Sustituye a {name} en cuanto lo crees.',
  'connectors.settings': 'Configuración',
  'connectors.optional': 'Más ajustes',
  'connectors.default': 'Predeterminado',
  'connectors.yes': 'Sí',
  'connectors.no': 'No',
  'connectors.noJson': 'No es JSON válido.',
  'connectors.target': 'Identificador del proveedor',
  'connectors.targetHint': 'Las identidades de los usuarios se guardan con él. No se puede cambiar después.',
  'connectors.nameHint': 'Como lo dice el botón de la página de inicio de sesión.',
  'connectors.syncProfile': 'Actualizar el perfil en cada inicio de sesión',
  'connectors.syncProfile.hint': 'El nombre y la foto siguen al proveedor. Desactivado: solo se toman al registrarse.',
  'connectors.enableTokenStorage': 'Guardar los tokens del proveedor',
  'connectors.enableTokenStorage.hint':
    'Cifrados, para que las aplicaciones llamen a su API por el usuario. Desactivado: se eliminan los tokens guardados.',
  'connectors.setup': 'Puesta en marcha',
  'connectors.callback': 'URI de redirección (dirección de retorno)',
  'connectors.callbackHint': 'Regístralo en el proveedor, exactamente como está aquí.',
  'connectors.callbackLater':
    'La URI de redirección que hay que registrar en el proveedor aparece aquí, lista para copiar, en cuanto se crea el conector.',
  'connectors.offered': 'Ofrecer en la página de inicio de sesión',
  'connectors.offeredText': 'Los usuarios ven un botón para él.',
  'connectors.check': 'Comprobar el proveedor',
  'connectors.checked': 'El primer inicio de sesión muestra si el proveedor conoce el cliente y el URI de redirección.',
  'connectors.check.ok': 'Se puede enviar usuarios allí',
  'connectors.check.warning': 'Se puede enviar usuarios allí, pero pronto ya no',
  'connectors.check.problem': 'Los usuarios no pueden iniciar sesión allí',
  'connectors.ssoSetupText': 'Lo que tiene que saber el proveedor de identidad de la empresa.',
  'connectors.ssoLater':
    'Nombre y dominios bastan por ahora: tras crearlo obtienes las direcciones que pide el proveedor de identidad y completas la configuración con lo que te dé.',
  'connectors.entityId': 'Entity ID, y dirección de los metadatos',
  'connectors.acs': 'Assertion consumer service (reply URL)',
  'connectors.domains': 'Dominios de correo',
  'connectors.domainsHint':
    'Uno por línea. Los usuarios con estas direcciones inician sesión en la empresa, no con contraseña ni código.',
  'connectors.ssoSwitch': 'SSO de empresa para este tenant',
  'connectors.ssoSwitchText': 'Desactivado: ningún usuario se envía al proveedor de identidad de ninguna empresa.',
  'connectors.delete': 'Eliminar conector',
  'connectors.deleteText': 'Ya no se envían mensajes de este tipo. No se puede deshacer.',
  'connectors.deleteSocialText': 'Los usuarios ya no pueden iniciar sesión con este proveedor. No se puede deshacer.',
  'connectors.deleteSsoText':
    'Sus usuarios se conservan, pierden su identidad en la empresa y tienen que iniciar sesión de otra forma. No se puede deshacer.',
  'connectors.deleted': 'Se ha eliminado {name}',
  'connectors.test': 'Mensaje de prueba',
  'connectors.testText': 'Se envía con la configuración escrita arriba, también antes de guardarla.',
  'connectors.testEmail': 'Enviar al correo electrónico',
  'connectors.testPhone': 'Enviar al número de teléfono',
  'connectors.send': 'Enviar mensaje de prueba',
  'connectors.tested': 'El mensaje se ha aceptado. Debería llegar en un momento.',
  'connectors.advice.address':
    'Comprueba el nombre del host. Una dirección que no es pública tiene que estar en OUTBOUND_ALLOW del servidor.',
  'connectors.advice.plain':
    'La contraseña cruzaría la red sin cifrar. Usa el puerto para TLS (465 con «secure», o 587), u otro servidor.',
  'connectors.advice.connect':
    'Comprueba el host y el puerto, y si un cortafuegos entre este servidor y el servidor de correo o el proveedor deja pasar la conexión.',
  'connectors.advice.tls':
    'Ha fallado la conexión cifrada. Comprueba si el puerto habla TLS desde el principio («secure») o STARTTLS, y si el certificado es válido para el host.',
  'connectors.advice.login':
    'Se han rechazado las credenciales. Comprueba el usuario y la contraseña, o la clave y sus permisos.',
  'connectors.advice.sender':
    'Se ha rechazado el remitente. Tiene que ser uno que el proveedor haya verificado para esta cuenta.',
  'connectors.advice.recipient':
    'Se ha rechazado el destinatario. En una cuenta de prueba, los proveedores solo envían a destinatarios que hayas verificado allí.',
  'connectors.advice.message': 'Se ha rechazado el mensaje. Comprueba las plantillas.',
  'connectors.advice.limit': 'Se ha alcanzado el límite de la cuenta. Espera, o súbelo en el proveedor.',
  'connectors.advice.fault': 'El proveedor tiene un fallo propio. Inténtalo más tarde o mira su página de estado.',
  'connectors.advice.protocol':
    'Lo que ha respondido no habla el protocolo esperado. Comprueba el puerto y que la dirección sea la del servicio.',
}
