/** Asks which of two changes of the same fields is to stay: another administrator was quicker. */
import type { Choice, Other } from '../api/conflict.ts'
import { ago } from '../languages/formats.ts'
import { t } from '../languages/languages.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { type Collided, nameOf } from './encounter.tsx'

const SECRET = /secret|password|token|private|key$/i
const LONGEST = 2000

const shown = (path: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (SECRET.test(path)) return '••••••'
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 1)).slice(0, LONGEST)
}

const sentence = (other: Other): string =>
  other.at === undefined
    ? t('conflict.text', { name: nameOf(other) })
    : t('conflict.textWhen', { name: nameOf(other), when: ago(other.at) })

export const EncounterQuestion = ({ met, onEnd }: { readonly met: Collided; readonly onEnd: () => void }) => {
  const end = (choice: Choice) => {
    met.choose(choice)
    onEnd()
  }
  return (
    <Dialog
      isOpen
      onClose={() => end('neither')}
      title={t('conflict.title')}
      description={sentence(met.other)}
      shape="wide"
    >
      <ul className="rounded-xl border border-line">
        {met.collisions.map(({ path, theirs, mine }) => (
          <li key={path} className="border-line px-4 py-3 not-last:border-b">
            <p className="wrap-anywhere mb-2 font-mono font-medium text-xs">{path}</p>
            <dl className="grid gap-3 sm:grid-cols-2">
              {(
                [
                  [nameOf(met.other), theirs],
                  [t('conflict.mine'), mine],
                ] as const
              ).map(([who, value]) => (
                <div key={who} className="min-w-0">
                  <dt className="wrap-anywhere text-soft text-xs">{who}</dt>
                  <dd className="wrap-anywhere max-h-40 overflow-y-auto whitespace-pre-wrap">{shown(path, value)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={() => end('theirs')}>{t('conflict.takeTheirs')}</Button>
        <Button look="primary" onClick={() => end('mine')}>
          {t('conflict.keepMine')}
        </Button>
      </div>
    </Dialog>
  )
}
