/** The keys that sign for a SAML application, by their certificates: the next one is known before it signs. */
import { BadgeCheck, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { moment } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyButton } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Card } from '../../parts/page.tsx'
import { SelectField } from '../../parts/select.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

type Key = Answer<'listSamlApplicationSecrets'>[number]
const YEARS = ['1', '3', '5', '10'] as const

interface LineProps {
  readonly line: Key
  readonly onActivate: () => void
  readonly onDelete: () => void
}

const Line = ({ line: { id, active, expiresAt, certificate, fingerprints }, onActivate, onDelete }: LineProps) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line py-3 not-last:border-b">
    <div className="min-w-40 flex-1">
      <div className="flex flex-wrap items-center gap-2 font-medium">
        {t('samlKeys.until', { when: moment(expiresAt) })}
        {active && <Badge tone="good">{t('samlKeys.active')}</Badge>}
        {expiresAt <= Date.now() && <Badge tone="bad">{t('secrets.expired')}</Badge>}
      </div>
      <code className="wrap-anywhere block font-mono text-soft text-xs">{fingerprints.sha256.formatted}</code>
    </div>
    <div className="flex">
      <CopyButton value={certificate} label={t('saml.pem')} />
      {!active && may('updateSamlApplicationSecret') && (
        <IconButton label={`${t('samlKeys.activate')}: ${id}`} onClick={onActivate}>
          <BadgeCheck size={16} />
        </IconButton>
      )}
      {!active && may('deleteSamlApplicationSecret') && (
        <IconButton label={`${t('samlKeys.delete')}: ${id}`} onClick={onDelete}>
          <Trash2 size={16} />
        </IconButton>
      )}
    </div>
  </li>
)

const NewKey = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const [years, setYears] = useState('3')
  const create = useChange('createSamlApplicationSecret')
  return (
    <Dialog isOpen onClose={onClose} title={t('samlKeys.add')} description={t('samlKeys.addText')}>
      <SelectField
        label={t('secrets.life')}
        value={years}
        choices={YEARS.map((each) => [each, t('samlKeys.years', { years: each })])}
        onChange={setYears}
      />
      {create.error && <ErrorState error={create.error} />}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button
          look="primary"
          isBusy={create.isPending}
          onClick={() =>
            create.mutate(
              { params: { id }, body: { lifeSpanInYears: Number(years) } },
              {
                onSuccess: () => {
                  onClose()
                  notify(t('samlKeys.added'))
                },
              },
            )
          }
        >
          {t('samlKeys.add')}
        </Button>
      </div>
    </Dialog>
  )
}

export const SamlKeys = ({ id }: { readonly id: string }) => {
  const { data: keys, error, refetch } = useAnswer('listSamlApplicationSecrets', { params: { id } })
  const activate = useChange('updateSamlApplicationSecret')
  const remove = useChange('deleteSamlApplicationSecret')
  const [isAdding, add] = useState(false)
  const [asked, ask] = useState<{ readonly secretId: string; readonly what: 'activate' | 'delete' }>()
  const close = () => {
    ask(undefined)
    activate.reset()
    remove.reset()
  }
  const onSuccess = () => {
    close()
    notify(t('form.saved'))
  }
  const confirm = () => {
    if (!asked) return
    const { secretId, what } = asked
    if (what === 'delete') remove.mutate({ params: { id, secretId } }, { onSuccess })
    else activate.mutate({ params: { id, secretId }, body: { active: true } }, { onSuccess })
  }
  return (
    <Card
      title={t('samlKeys.title')}
      text={t('samlKeys.text')}
      actions={
        may('createSamlApplicationSecret') && (
          <Button onClick={() => add(true)}>
            <Plus size={15} aria-hidden />
            {t('samlKeys.add')}
          </Button>
        )
      }
    >
      {error ? <ErrorState error={error} retry={refetch} /> : keys === undefined && <Loading lines={2} />}
      <ul aria-label={t('samlKeys.title')}>
        {keys?.map((line) => (
          <Line
            key={line.id}
            line={line}
            onActivate={() => ask({ secretId: line.id, what: 'activate' })}
            onDelete={() => ask({ secretId: line.id, what: 'delete' })}
          />
        ))}
      </ul>
      {isAdding && <NewKey id={id} onClose={() => add(false)} />}
      {asked && (
        <Confirm
          isOpen
          onClose={close}
          title={t(`samlKeys.${asked.what}`)}
          text={t(`samlKeys.${asked.what}Text`)}
          action={t(`samlKeys.${asked.what}`)}
          {...(asked.what === 'activate' ? { look: 'primary' as const } : {})}
          isBusy={activate.isPending || remove.isPending}
          error={activate.error ?? remove.error}
          onConfirm={confirm}
        />
      )}
    </Card>
  )
}
