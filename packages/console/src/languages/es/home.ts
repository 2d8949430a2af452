/** The phrases of `en/home.ts` in Spanish. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'Hola, {name}',
  'home.recent': 'Lo que pasa ahora',
  'home.allEntries': 'Abrir el registro',

  'first.title': 'Primeros pasos',
  'first.text': 'Tres pasos hasta el primer usuario que inicia sesión.',
  'first.done': 'Hecho',
  'first.administrator': 'Un administrador cuida de este servidor: tú',
  'first.application': 'Registra tu aplicación',
  'first.applicationText': 'Un sitio web, una aplicación o un servicio en el que los usuarios inician sesión por aquí.',
  'first.signIn': 'Inicia sesión en tu aplicación',
  'first.signInText': 'Pega el código en tu aplicación, arráncala e inicia sesión con una cuenta nueva.',
  'first.signedIn': 'Ha iniciado sesión un usuario',
  'first.code': 'Código para {name}',
  'first.waiting': 'A la espera de tu primer inicio de sesión…',
  'first.finished': 'Funciona. Los usuarios pueden iniciar sesión en tu aplicación.',
  'applications.create': 'Crear aplicación',
}
