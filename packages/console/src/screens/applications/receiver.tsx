/** Whether an application is told what happens to its users (Shared Signals), of which events, of whom, and in which words. */
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CheckRow } from '../../parts/check-row.tsx'
import { useForm } from '../../parts/form.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

const EVENTS = [
  'session-revoked',
  'credential-change',
  'token-claims-change',
  'account-disabled',
  'account-enabled',
  'account-purged',
  'identifier-changed',
] as const
const SUBJECTS = ['ALL', 'NONE'] as const
const FORMATS = ['iss_sub', 'opaque', 'email'] as const

export const Receiver = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.receiver`, {
    events: (stored.sharedSignals?.events ?? []).join(' '),
    defaultSubjects: stored.sharedSignals?.defaultSubjects ?? 'ALL',
    subjectFormat: stored.sharedSignals?.subjectFormat ?? 'iss_sub',
  })
  const { values, set, reset } = form
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const chosen = EVENTS.filter((event) => values.events.split(' ').includes(event))
  const submit = () => {
    const { defaultSubjects, subjectFormat } = values
    const sharedSignals = chosen.length > 0 ? { events: chosen, defaultSubjects, subjectFormat } : undefined
    update.mutate(
      { params: { id }, body: { customClientMetadata: metadataWith(application, { sharedSignals }) } },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  }
  return (
    <SettingsCard
      title={t('receiver.title')}
      text={t('receiver.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <div className="grid gap-x-4 sm:grid-cols-2">
        {EVENTS.map((event) => (
          <CheckRow
            key={event}
            label={t(`receiver.${event}`)}
            text={event}
            isOn={chosen.includes(event)}
            onChange={(isOn) =>
              set('events', EVENTS.filter((each) => (each === event ? isOn : chosen.includes(each))).join(' '))
            }
            isReadOnly={isReadOnly}
          />
        ))}
      </div>
      {chosen.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t('receiver.subjects')}
            value={values.defaultSubjects}
            choices={SUBJECTS.map((each) => [each, t(`receiver.${each}`)])}
            onChange={(next) => set('defaultSubjects', SUBJECTS.find((each) => each === next) ?? 'ALL')}
            isReadOnly={isReadOnly}
          />
          <SelectField
            label={t('receiver.format')}
            value={values.subjectFormat}
            choices={FORMATS.map((each) => [each, t(`receiver.${each}`)])}
            onChange={(next) => set('subjectFormat', FORMATS.find((each) => each === next) ?? 'iss_sub')}
            isReadOnly={isReadOnly}
          />
        </div>
      )}
    </SettingsCard>
  )
}
