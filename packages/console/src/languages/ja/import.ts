/** The phrases of `en/import.ts` in Japanese. */
import type { userImport as english } from '../en/import.ts'

export const userImport: Readonly<Record<keyof typeof english, string>> = {
  'import.title': 'ユーザーをインポート',
  'import.text':
    'ファイルから、件数の制限なく。インポートできなかったものは理由とともに一覧表示され、ほかには影響しません。',
  'import.button': 'インポート',
  'import.file': 'ファイル',
  'import.fileText': 'パスワードハッシュ、第 2 要素、連携アカウント、ロールも含められます。',
  'import.choose': 'ファイルを選択するか、ここにドロップ',
  'import.kinds': 'JSON Lines、JSON 配列、または見出し行付きの CSV',
  'import.sample': 'JSON の 1 行:',
  'import.columns': '列',
  'import.columnsText': '表の各列が表すもの。空のセルは無視されます。',
  'import.column': '{name} が表すもの',
  'import.leaveOut': '無視',
  'import.own': 'customData.{name}',
  'import.options': '開始',
  'import.events': 'Webhook に通知',
  'import.eventsText': 'インポートした各ユーザーを User.Created として送信します。',
  'import.start': 'ユーザーをインポート',
  'import.running': 'インポート中…',
  'import.stopped': '停止しました',
  'import.finished': 'インポートしました',
  'import.failed': 'インポートは途中で終了しました',
  'import.counts': '読み取り {lines} 行、作成 {created} ユーザー、拒否 {refused} 行。',
  'import.stoppedText':
    'インポート済みのものは残ります。同じファイルを再度インポートすると、それらの行はユーザーが存在するため拒否されます。',
  'import.another': '別のファイルをインポート',
  'import.refused': '拒否: {count}',
  'import.refusedText': 'これらの行を修正して、再度インポートしてください。ほかの行のユーザーは登録済みです。',
  'import.refusedLines': '拒否された行',
  'import.saveRefused': '拒否された行',
  'import.saveReasons': '理由',
  'import.line': '{line} 行目',
  'import.more': '最初の {shown} 件を表示しています。すべてはファイルにあります。',
}
