/** Another administrator was quicker: says that both changes were saved, or asks which one is to stay. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Choice, type Encounter as Met, type Other, onEncounter } from '../api/conflict.ts'
import { ago } from '../languages/formats.ts'
import { t } from '../languages/languages.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { notify } from '../parts/toast.tsx'

type Collided = Extract<Met, { readonly kind: 'collision' }>

const SECRET = /secret|password|token|private|key$/i
const LONGEST = 2000

const shown = (path: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (SECRET.test(path)) return '••••••'
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 1)).slice(0, LONGEST)
}

const nameOf = ({ name, isSelf }: Other): string => (isSelf ? t('conflict.self') : (name ?? t('conflict.other')))

const sentence = (other: Other): string =>
  other.at === undefined
    ? t('conflict.text', { name: nameOf(other) })
    : t('conflict.textWhen', { name: nameOf(other), when: ago(other.at) })

const told = (other: Other, members: readonly string[]): string =>
  members.length === 0
    ? t('conflict.merged', { name: nameOf(other) })
    : t('conflict.mergedMembers', { name: nameOf(other), members: members.join(', ') })

const Question = ({ met, onEnd }: { readonly met: Collided; readonly onEnd: () => void }) => {
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

export const Encounter = () => {
  const [met, setMet] = useState<Collided>()
  const queries = useQueryClient()
  useEffect(
    () =>
      onEncounter((next) => {
        if (next.kind === 'collision') setMet(next)
        else notify(told(next.other, next.members))
      }),
    [],
  )
  if (!met) return null
  return (
    <Question
      met={met}
      onEnd={() => {
        setMet(undefined)
        void queries.invalidateQueries()
      }}
    />
  )
}
