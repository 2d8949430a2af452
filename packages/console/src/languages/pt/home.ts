/** The phrases of `en/home.ts` in Portuguese. */
import type { home as english } from '../en/home.ts'

export const home: Readonly<Record<keyof typeof english, string>> = {
  'home.title': 'Olá, {name}',
  'home.recent': 'O que acontece agora',
  'home.allEntries': 'Abrir o registro',

  'first.title': 'Primeiros passos',
  'first.text': 'Três passos até o primeiro usuário entrar.',
  'first.done': 'Feito',
  'first.administrator': 'Um administrador cuida deste servidor: você',
  'first.application': 'Registre seu aplicativo',
  'first.applicationText': 'Um site, um app ou um serviço em que usuários entram por aqui.',
  'first.signIn': 'Entre no seu aplicativo',
  'first.signInText': 'Cole o código no seu aplicativo, inicie-o e entre com uma conta nova.',
  'first.signedIn': 'Um usuário entrou',
  'first.code': 'Código para {name}',
  'first.waiting': 'À espera da sua primeira entrada…',
  'first.finished': 'Funciona. Os usuários podem entrar no seu aplicativo.',
  'applications.create': 'Criar aplicativo',
}
