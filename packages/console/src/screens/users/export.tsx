/** Exports users to a file: all of them, or those that the list is narrowed to. */
import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { callOnce, type Input } from '../../api/client.ts'
import { number } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { holds } from '../../session/session.ts'
import { saveFile } from './save-file.ts'

type Body = Input<'exportUsers'>['body']

interface ExportState {
  readonly phase: 'running' | 'finished' | 'failed'
  readonly count: number
  readonly error?: unknown
}

/** Reads batch after batch, each when the one before is there, and saves them as one file at the end. */
const useExport = () => {
  const [state, setState] = useState<ExportState>()
  const isStopped = useRef(false)
  const run = async (first: Body): Promise<void> => {
    const parts: string[] = []
    let [body, count] = [first, 0]
    isStopped.current = false
    setState({ phase: 'running', count })
    try {
      for (;;) {
        const { lines, cursor } = await callOnce('exportUsers', { body })
        if (isStopped.current) return
        parts.push(...lines.map((line) => `${line}\n`))
        count += lines.length
        setState({ phase: 'running', count })
        if (cursor === null) break
        body = { cursor }
      }
      saveFile('users.jsonl', 'application/x-ndjson', ...parts)
      setState({ phase: 'finished', count })
    } catch (error) {
      if (!isStopped.current) setState({ phase: 'failed', count, error })
    }
  }
  const stop = () => {
    isStopped.current = true
  }
  return { state, run, stop }
}

interface ExportProps {
  /** What the list is narrowed to; empty: nothing. */
  readonly query: Body
  readonly onClose: () => void
}

export const ExportUsers = ({ query, onClose }: ExportProps) => {
  const [withPasswordHashes, setHashes] = useState(false)
  const { state, run, stop } = useExport()
  const close = () => {
    stop()
    onClose()
  }
  const isNarrowed = Object.keys(query).length > 0
  return (
    <Dialog
      isOpen
      onClose={close}
      title={t('export.title')}
      description={t(isNarrowed ? 'export.textNarrowed' : 'export.text')}
    >
      {state === undefined && holds(['all']) && (
        <SwitchRow
          label={t('export.hashes')}
          text={t('export.hashesText')}
          isOn={withPasswordHashes}
          onChange={setHashes}
        />
      )}
      {state !== undefined && (
        <p role="status">
          {t(state.phase === 'finished' ? 'export.finished' : 'export.running', { count: number(state.count) })}
        </p>
      )}
      {state?.error !== undefined && <ErrorState error={state.error} />}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={close}>{t(state?.phase === 'finished' ? 'action.close' : 'action.cancel')}</Button>
        {state?.phase !== 'finished' && (
          <Button
            look="primary"
            isBusy={state?.phase === 'running'}
            onClick={() => void run({ ...query, ...(withPasswordHashes ? { withPasswordHashes } : {}) })}
          >
            <Download size={15} aria-hidden />
            {t('export.start')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
