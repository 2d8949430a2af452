/** What is kept with an application for other programs; the server never reads it. */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { JsonCard } from '../../parts/json-card.tsx'
import type { Application } from './kinds.ts'

export const CustomData = ({ application: { id, customData } }: { readonly application: Application }) => {
  const update = useChange('updateApplication')
  return (
    <JsonCard
      form={`application.${id}.custom-data`}
      title={t('customData.title')}
      text={t('customData.text')}
      value={customData}
      change={update}
      isReadOnly={!may('updateApplication')}
      onSave={(next, done) => update.mutate({ params: { id }, body: { customData: next } }, { onSuccess: done })}
    />
  )
}
