/** The phrases of `en/home.ts` in French. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'Bonjour {name}',
  'home.recent': 'Ce qui se passe en ce moment',
  'home.allEntries': 'Ouvrir le journal',

  'first.title': 'Premiers pas',
  'first.text': 'Trois étapes jusqu’à la première connexion d’un utilisateur.',
  'first.done': 'Fait',
  'first.administrator': 'Un administrateur s’occupe de ce serveur : vous',
  'first.application': 'Enregistrez votre application',
  'first.applicationText':
    'Un site web, une application ou un service où des utilisateurs se connectent par ce serveur.',
  'first.signIn': 'Connectez-vous à votre application',
  'first.signInText': 'Collez le code dans votre application, démarrez-la et connectez-vous avec un nouveau compte.',
  'first.signedIn': 'Un utilisateur s’est connecté',
  'first.code': 'Code pour {name}',
  'first.waiting': 'En attente de votre première connexion…',
  'first.finished': 'Cela fonctionne. Les utilisateurs peuvent se connecter à votre application.',
  'applications.create': 'Créer une application',
}
