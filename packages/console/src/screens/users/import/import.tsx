/** Imports users from a file: what its columns stand for, progress, and each line that was refused with its reason. */
import { FileUp } from 'lucide-react'
import { useId, useState } from 'react'
import { t } from '../../../languages/languages.ts'
import { ShowApiCall } from '../../../parts/api-call.tsx'
import { Button } from '../../../parts/button.tsx'
import { Card, Page } from '../../../parts/page.tsx'
import { SwitchRow } from '../../../parts/switch-row.tsx'
import { Columns } from './columns.tsx'
import { ImportProgress } from './progress.tsx'
import { useImport } from './run.ts'
import { likelyMembers, type Source, sourceOf } from './source.ts'

const SAMPLE = '{"username":"ann","primaryEmail":"ann@example.com"}'

const ChooseFile = ({
  source,
  onChoose,
}: {
  readonly source: Source | undefined
  readonly onChoose: (file: File) => void
}) => {
  const id = useId()
  const [isOver, setOver] = useState(false)
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file) onChoose(file)
      }}
      className={`flex cursor-pointer flex-col items-center gap-2 rounded-xl border border-edge border-dashed px-6 py-8 text-center focus-within:border-accent hover:bg-hover ${isOver ? 'bg-accent-tint' : ''}`}
    >
      <FileUp size={22} aria-hidden className="text-accent" />
      <span className="wrap-anywhere font-medium">{source?.file.name ?? t('import.choose')}</span>
      <span className="text-soft text-xs">{t('import.kinds')}</span>
      <input
        id={id}
        type="file"
        accept=".json,.jsonl,.ndjson,.csv,.tsv,.txt"
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onChoose(file)
        }}
      />
    </label>
  )
}

export const ImportUsers = () => {
  const [source, setSource] = useState<Source>()
  const [members, setMembers] = useState<readonly string[]>([])
  const [withEvents, setEvents] = useState(false)
  const { state, run, stop, reset } = useImport()
  const choose = async (file: File) => {
    const next = await sourceOf(file)
    setSource(next)
    setMembers(likelyMembers(next))
  }
  return (
    <Page
      title={t('import.title')}
      text={t('import.text')}
      up={{ to: '/users', title: t('nav.users') }}
      actions={
        <ShowApiCall
          calls={[{ id: 'importUsers', input: { body: { importId: 'my-import', firstLine: 1, lines: [SAMPLE] } } }]}
        />
      }
    >
      {state && source ? (
        <ImportProgress
          source={source}
          state={state}
          onStop={stop}
          onAgain={() => {
            setSource(undefined)
            reset()
          }}
        />
      ) : (
        <>
          <Card title={t('import.file')} text={t('import.fileText')}>
            <ChooseFile source={source} onChoose={(file) => void choose(file)} />
            <p className="mt-3 text-soft">
              {t('import.sample')}{' '}
              <code className="wrap-anywhere rounded bg-sunken px-1 py-0.5 font-mono text-xs">{SAMPLE}</code>
            </p>
          </Card>
          {source?.kind === 'table' && <Columns columns={source.columns} members={members} onChange={setMembers} />}
          {source && (
            <Card title={t('import.options')}>
              <SwitchRow
                label={t('import.events')}
                text={t('import.eventsText')}
                isOn={withEvents}
                onChange={setEvents}
              />
              <div className="mt-4 flex gap-2">
                <Button look="primary" onClick={() => void run(source, members, withEvents)}>
                  {t('import.start')}
                </Button>
                <Button look="ghost" onClick={() => setSource(undefined)}>
                  {t('action.cancel')}
                </Button>
              </div>
            </Card>
          )}
        </>
      )}
    </Page>
  )
}
