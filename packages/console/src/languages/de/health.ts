/** The phrases of `en/health.ts` in German. */
import type { health as english } from '../en/health.ts'

export const health: Readonly<Record<keyof typeof english, string>> = {
  'nav.health': 'Zustand',
  'health.text': 'Ob alles läuft, was wartet und welche Schlüssel signieren.',
  'health.tab.state': 'Zustand',
  'health.tab.keys': 'Signaturschlüssel',

  'health.allWell': 'Nichts erfordert Ihre Aufmerksamkeit.',
  'health.findings': 'Erfordert Aufmerksamkeit',
  'health.bad': 'Problem',
  'health.warn': 'Warnung',
  'health.open': 'Öffnen',
  'health.worker':
    'Die Hintergrundarbeit scheint stillzustehen. Prüfen Sie, ob ein Server oder Worker läuft, und sein Protokoll.',
  'health.eventsStalled': 'Ereignisse warten auf Veröffentlichung: {count}, das älteste von {when}',
  'health.messagesStalled': 'Nachrichten warten auf den Versand: {count}, die älteste von {when}',
  'health.messagesAdvice': 'Benutzer warten auf ihre E-Mail oder SMS. Senden Sie mit dem Connector eine Testnachricht.',
  'health.deliveriesStalled': 'Zustellungen an Webhooks warten: {count}, die älteste von {when}',
  'health.deliveriesAdvice': 'Ein Empfänger lehnt sie ab oder antwortet nicht. Sie werden von selbst erneut versucht.',
  'health.noKey': 'Kein Signaturschlüssel ist in Gebrauch: Es kann kein Token ausgestellt werden',
  'health.unsigned':
    'Anwendungen verlangen mit {algorithm} signierte ID-Tokens, und kein solcher Schlüssel ist in Gebrauch',
  'health.rotateAdvice': 'Rotieren Sie die Signaturschlüssel ohne Wartezeit: Dabei entsteht einer.',
  'health.pending': 'Migrationen der Datenbank, die nicht gelaufen sind: {count}',
  'health.pendingAdvice': 'Führen Sie countersign migrate aus, oder starten Sie den Server neu.',
  'health.oldDatabase': 'PostgreSQL {version} wird nicht unterstützt',
  'health.oldDatabaseAdvice': 'Aktualisieren Sie die Datenbank auf Version {version} oder neuer.',
  'health.neverCleaned': 'Abgelaufene Daten wurden noch nie gelöscht',
  'health.notCleaned': 'Abgelaufene Daten wurden zuletzt {when} gelöscht',
  'health.hook': 'Der Webhook {name} funktioniert nicht',
  'health.oneOwner': 'Es gibt nur einen Eigentümer',
  'health.oneOwnerAdvice':
    'Verliert er den Zugang, hilft nur die Befehlszeile. Machen Sie einen zweiten Administrator zum Eigentümer.',

  'health.messages': 'Zu sendende Nachrichten',
  'health.deliveries': 'Zustellungen an Webhooks',
  'health.events': 'Zu veröffentlichende Ereignisse',
  'health.oldest': 'älteste von {when}',
  'health.nothingWaits': 'nichts wartet',

  'health.server': 'Server',
  'health.readAt': 'Stand: {when}',
  'health.version': 'Countersign',
  'health.database': 'Datenbank',
  'health.migration': 'Version der Datenbank',
  'health.cleaned': 'Abgelaufene Daten gelöscht',
  'health.lastEvent': 'Nummer des neuesten Ereignisses',
  'health.auditKept': 'Protokolleinträge bleiben',
  'health.eventsKept': 'Ereignisse bleiben',
  'health.days': '{count} Tage',
  'health.forever': 'für immer',
  'health.backups':
    'Der Server macht keine Sicherungen und weiß von keinen. Sichern Sie die Datenbank, und bewahren Sie secret.key an einem anderen Ort auf: Keines nützt ohne das andere.',

  'keys.title': 'Signaturschlüssel',
  'keys.text':
    'Jedes Token wird mit dem aktuellen Schlüssel signiert. Ein früherer prüft weiterhin die Tokens, die er signiert hat.',
  'keys.next': 'Nächster',
  'keys.current': 'Aktuell',
  'keys.previous': 'Früher',
  'keys.chain': 'ID-Tokens von Anwendungen, die {algorithm} verlangen',
  'keys.signsFrom': 'Beginnt {when} zu signieren',
  'keys.signedFrom': 'Begann {when} zu signieren',
  'keys.replacesNext': 'Der nächste Schlüssel hat noch nichts signiert: Er wird ersetzt.',
  'keys.delete': 'Schlüssel löschen',
  'keys.deleteText':
    'Tokens, die er signiert hat, werden ab jetzt abgelehnt: Benutzer müssen sich womöglich neu anmelden. Das lässt sich nicht rückgängig machen.',
  'keys.deleted': 'Der Schlüssel wurde gelöscht',
  'keys.rotate': 'Schlüssel rotieren',
  'keys.rotateText':
    'Ein neuer Schlüssel wird jetzt veröffentlicht und signiert nach der Wartezeit. Der aktuelle wird dann zum früheren und prüft weiterhin.',
  'keys.rotated': 'Die Schlüssel wurden rotiert',
  'keys.algorithm': 'Algorithmus',
  'keys.grace': 'Wartezeit',
  'keys.atOnce': 'Keine: Er signiert sofort',
  'keys.minutes': '{count} Min.',
  'keys.hours': '{count} Std.',
  'keys.days': '{count} T.',
  'keys.graceWarning':
    'Clients behalten die öffentlichen Schlüssel einige Minuten. Bis sie sie neu lesen, lehnen sie Tokens des neuen Schlüssels ab.',
  'keys.algorithmWarning':
    'Tokens werden mit {after} statt {before} signiert. Vergewissern Sie sich, dass Ihre APIs diesen Algorithmus annehmen.',
  'keys.public': 'Was Clients sehen',
  'keys.publicText': 'Von hier lesen Clients und APIs die öffentlichen Schlüssel, auch den nächsten.',
  'keys.jwks': 'Öffentliche Schlüssel (JWKS)',
  'keys.discovery': 'Discovery-Dokument',

  'health.tab.file': 'Mandant als Datei',
  'tenantFile.present': 'Wie er jetzt ist',
  'tenantFile.presentText':
    'Alles, was eingestellt ist, ohne Benutzer, Organisationen und Geheimnisse. Dieselbe Datei nimmt countersign apply.',
  'tenantFile.download': 'Herunterladen',
  'tenantFile.apply': 'Datei anwenden',
  'tenantFile.applyText':
    'Bringt den Mandanten in den Zustand, den die Datei beschreibt. Was die Datei auslässt, bleibt, wie es ist.',
  'tenantFile.text': 'Datei (YAML)',
  'tenantFile.choose': 'Datei wählen',
  'tenantFile.variables': 'Geheimnisse in der Datei',
  'tenantFile.variablesText':
    'An ihren Stellen hat die Datei Variablen. Die Werte werden mitgesendet und hier nicht behalten.',
  'tenantFile.prune': 'Löschen, was die Datei nicht nennt',
  'tenantFile.pruneText': 'Nur in den Abschnitten, die sie hat: Ein fehlender Abschnitt bleibt, wie er ist.',
  'tenantFile.compare': 'Vergleichen',
  'tenantFile.difference': 'Unterschied',
  'tenantFile.same': 'Alles entspricht schon der Datei.',
  'tenantFile.create': 'Neu',
  'tenantFile.change': 'Geändert',
  'tenantFile.delete': 'Gelöscht',
  'tenantFile.keep': 'Bleibt',
  'tenantFile.refused': 'Die Datei wird abgelehnt; nichts wurde geändert.',
  'tenantFile.place': 'Zeile {line}, Spalte {column}',
  'tenantFile.confirmText':
    'Die aufgeführten Änderungen werden sofort gemacht, alle oder keine. Das lässt sich nicht rückgängig machen.',
  'tenantFile.applied': 'Die Datei wurde angewendet',
  'tenantFile.credentials': 'Zugangsdaten der neuen Anwendungen, nur jetzt zu sehen',
}
