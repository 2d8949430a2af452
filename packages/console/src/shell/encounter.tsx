/** Another administrator was quicker: says that both changes were saved, or asks which one is to stay. */
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { type Encounter as Met, type Other, onEncounter } from '../api/conflict.ts'
import { t } from '../languages/languages.ts'
import { notify } from '../parts/toast.tsx'

const Question = lazy(async () => ({ default: (await import('./encounter-question.tsx')).EncounterQuestion }))

export type Collided = Extract<Met, { readonly kind: 'collision' }>

/** Who it was. */
export const nameOf = ({ name, isSelf }: Other): string => (isSelf ? t('conflict.self') : (name ?? t('conflict.other')))

const told = (other: Other, members: readonly string[]): string =>
  members.length === 0
    ? t('conflict.merged', { name: nameOf(other) })
    : t('conflict.mergedMembers', { name: nameOf(other), members: members.join(', ') })

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
    <Suspense>
      <Question
        met={met}
        onEnd={() => {
          setMet(undefined)
          void queries.invalidateQueries()
        }}
      />
    </Suspense>
  )
}
