/** The phrases of `en/import.ts` in French. */
import type { userImport as english } from '../en/import.ts'

export const userImport: Readonly<Record<keyof typeof english, string>> = {
  'import.title': 'Importer des utilisateurs',
  'import.text':
    'Depuis un fichier de n’importe quelle longueur. Ce qui ne peut pas être importé est listé avec son motif, et rien d’autre n’est perdu.',
  'import.button': 'Importer',
  'import.file': 'Fichier',
  'import.fileText': 'Les mots de passe hachés, seconds facteurs, comptes associés et rôles peuvent être repris.',
  'import.choose': 'Choisissez un fichier, ou déposez-le ici',
  'import.kinds': 'Lignes JSON, tableau JSON, ou CSV avec un en-tête',
  'import.sample': 'Une ligne JSON :',
  'import.columns': 'Colonnes',
  'import.columnsText': 'Ce que représente chaque colonne du tableau. Les cellules vides sont ignorées.',
  'import.column': 'Ce que représente {name}',
  'import.leaveOut': 'Ignorer',
  'import.own': 'customData.{name}',
  'import.options': 'Démarrer',
  'import.events': 'Prévenir les webhooks',
  'import.eventsText': 'Chaque utilisateur importé est envoyé comme User.Created.',
  'import.start': 'Importer les utilisateurs',
  'import.running': 'Importation…',
  'import.stopped': 'Arrêté',
  'import.finished': 'Importé',
  'import.failed': 'L’importation s’est arrêtée avant la fin',
  'import.counts': '{lines} lignes lues, {created} utilisateurs créés, {refused} lignes refusées.',
  'import.stoppedText':
    'Ce qui a été importé est conservé. Si vous importez le fichier à nouveau, ces lignes sont refusées car les utilisateurs existent.',
  'import.another': 'Importer un autre fichier',
  'import.refused': 'Refusées : {count}',
  'import.refusedText':
    'Corrigez ces lignes et importez-les à nouveau : les utilisateurs des autres lignes existent déjà.',
  'import.refusedLines': 'Lignes refusées',
  'import.saveRefused': 'Lignes refusées',
  'import.saveReasons': 'Motifs',
  'import.line': 'Ligne {line}',
  'import.more': 'Les {shown} premières sont affichées. Elles sont toutes dans les fichiers.',
}
