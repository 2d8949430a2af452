/** The phrases of `en/explain.ts` in Portuguese. */
import type { explain as english } from '../en/explain.ts'

export const explain: Readonly<Record<keyof typeof english, string>> = {
  'explain.text':
    'Por que um token tem, ou não tem, um scope? A resposta vem do código que emite tokens; nada é emitido.',
  'explain.question': 'Uma entrada de',
  'explain.application': 'Aplicativo',
  'explain.choose': 'Escolher…',
  'explain.noneOf': 'Nenhuma',
  'explain.userText': 'O usuário que entraria.',
  'explain.applicationText': 'O aplicativo que pediria o token.',
  'explain.scope': 'Scopes',
  'explain.scopeHint': 'Nomes separados por espaços. Vazio: todas as permissões da API.',
  'explain.ask': 'Explicar',
  'explain.none': 'Escolha um usuário e um aplicativo',
  'explain.noneText': 'Então você vê qual token o usuário receberia lá agora, e por quais papéis.',
  'explain.jwt': 'Um JWT para a API',
  'explain.opaque': 'Um token opaco',
  'explain.refused': 'Nenhum token',
  'explain.audience': 'Audiência',
  'explain.userinfo': 'O endpoint userinfo',
  'explain.why': 'Por que este',
  'explain.scopes': 'Scopes pedidos',
  'explain.granted': 'Concedido',
  'explain.missing': 'Não concedido',
  'explain.through': 'Papéis que o têm:',
  'explain.inOrganization': '{name} (na organização)',
}
