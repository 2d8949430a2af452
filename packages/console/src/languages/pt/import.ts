/** The phrases of `en/import.ts` in Portuguese. */
import type { userImport as english } from '../en/import.ts'

export const userImport: Readonly<Record<keyof typeof english, string>> = {
  'import.title': 'Importar usuários',
  'import.text':
    'De um arquivo de qualquer tamanho. O que não pode ser importado é listado com o motivo, e nada mais se perde.',
  'import.button': 'Importar',
  'import.file': 'Arquivo',
  'import.fileText': 'Hashes de senhas, segundos fatores, contas vinculadas e papéis podem vir junto.',
  'import.choose': 'Escolha um arquivo, ou solte-o aqui',
  'import.kinds': 'Linhas JSON, um array JSON, ou CSV com cabeçalho',
  'import.sample': 'Uma linha JSON:',
  'import.columns': 'Colunas',
  'import.columnsText': 'O que cada coluna da tabela representa. Células vazias são omitidas.',
  'import.column': 'O que {name} representa',
  'import.leaveOut': 'Omitir',
  'import.own': 'customData.{name}',
  'import.options': 'Iniciar',
  'import.events': 'Avisar webhooks',
  'import.eventsText': 'Cada usuário importado é enviado como User.Created.',
  'import.start': 'Importar usuários',
  'import.running': 'Importando…',
  'import.stopped': 'Parado',
  'import.finished': 'Importado',
  'import.failed': 'A importação terminou antes do fim',
  'import.counts': '{lines} linhas lidas, {created} usuários criados, {refused} linhas recusadas.',
  'import.stoppedText':
    'O que foi importado permanece. Se você importar o arquivo de novo, essas linhas são recusadas porque os usuários existem.',
  'import.another': 'Importar outro arquivo',
  'import.refused': 'Recusadas: {count}',
  'import.refusedText': 'Corrija estas linhas e importe-as de novo: os usuários das outras já existem.',
  'import.refusedLines': 'Linhas recusadas',
  'import.saveRefused': 'Linhas recusadas',
  'import.saveReasons': 'Motivos',
  'import.line': 'Linha {line}',
  'import.more': 'As primeiras {shown} são mostradas. Todas estão nos arquivos.',
}
