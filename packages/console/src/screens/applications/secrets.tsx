/** The secrets of an application: shown on request, added beside the old one to rotate without an outage, deleted. */
import { Eye, EyeOff, KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Answer, useAnswer, useChange } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyButton } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt } from '../../parts/form.ts'
import { expiryOf, FOREVER, LifeField } from '../../parts/life.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'

type Secret = Answer<'listApplicationSecrets'>[number]
const LIVES = [FOREVER, '30', '90', '365'] as const

interface SecretRowProps {
  readonly secret: Secret
  readonly onRename: () => void
  readonly onDelete: () => void
}

const SecretRow = ({ secret, onRename, onDelete }: SecretRowProps) => {
  const [isShown, setShown] = useState(false)
  const { name, value, createdAt, expiresAt } = secret
  const isExpired = expiresAt !== null && expiresAt <= Date.now()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line py-3 not-last:border-b">
      <div className="min-w-40 flex-1">
        <div className="flex items-center gap-2 font-medium">
          <span className="truncate">{name}</span>
          {isExpired && <Badge tone="bad">{t('secrets.expired')}</Badge>}
        </div>
        <div className="text-soft text-xs">
          {t('secrets.created', { when: ago(createdAt) })}
          {expiresAt !== null && !isExpired && ` · ${t('secrets.expires', { when: ago(expiresAt) })}`}
        </div>
      </div>
      <code className="max-w-64 truncate font-mono text-xs">{isShown ? value : '••••••••••••••••••••'}</code>
      <div className="flex">
        <IconButton label={isShown ? t('secrets.hide') : t('secrets.show')} onClick={() => setShown(!isShown)}>
          {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
        </IconButton>
        <CopyButton value={value} label={name} />
        <IconButton label={t('secrets.rename', { name })} onClick={onRename}>
          <Pencil size={16} />
        </IconButton>
        <IconButton label={t('secrets.delete', { name })} onClick={onDelete}>
          <Trash2 size={16} />
        </IconButton>
      </div>
    </li>
  )
}

const NewSecret = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const create = useChange('createApplicationSecret')
  const [name, setName] = useState('')
  const [days, setDays] = useState<string>(FOREVER)
  return (
    <Dialog isOpen onClose={onClose} title={t('secrets.add')} description={t('secrets.addText')}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(
            {
              params: { id },
              body: { name, expiresAt: expiryOf(days) },
            },
            {
              onSuccess: () => {
                notify(t('secrets.added'))
                onClose()
              },
            },
          )
        }}
      >
        <Field name="name" label={t('applications.name')} value={name} onChange={setName} isRequired />
        <LifeField days={days} choices={LIVES} onChange={setDays} />
        {create.error && <ErrorState error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" isBusy={create.isPending}>
            {t('secrets.add')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const RenameSecret = ({
  id,
  name,
  onClose,
}: {
  readonly id: string
  readonly name: string
  readonly onClose: () => void
}) => {
  const update = useChange('renameApplicationSecret')
  const [next, setNext] = useState(name)
  const nameError = errorAt(update.error, 'name', 'application.secret_name_exists')
  return (
    <Dialog isOpen onClose={onClose} title={t('secrets.rename', { name })} description={t('secrets.renameText')}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate(
            { params: { id, name }, body: { name: next.trim() } },
            {
              onSuccess: () => {
                notify(t('form.saved'))
                onClose()
              },
            },
          )
        }}
      >
        <Field name="name" label={t('applications.name')} value={next} onChange={setNext} error={nameError} />
        {update.error && nameError === undefined && <ErrorState error={update.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button look="primary" type="submit" disabled={!next.trim() || next === name} isBusy={update.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export const Secrets = ({ id }: { readonly id: string }) => {
  const { data: secrets, error, refetch } = useAnswer('listApplicationSecrets', { params: { id } })
  const remove = useChange('deleteApplicationSecret')
  const [isAdding, setAdding] = useState(false)
  const [renamed, rename] = useState<string>()
  const [doomed, setDoomed] = useState<string>()
  return (
    <Card
      title={t('secrets.title')}
      text={t('secrets.text')}
      actions={
        <Button onClick={() => setAdding(true)}>
          <Plus size={15} aria-hidden />
          {t('secrets.add')}
        </Button>
      }
    >
      {error ? <ErrorState error={error} retry={refetch} /> : secrets === undefined && <Loading lines={2} />}
      {secrets?.length === 0 && (
        <EmptyState icon={<KeyRound size={20} />} title={t('secrets.none')} text={t('secrets.noneText')} />
      )}
      <ul>
        {secrets?.map((secret) => (
          <SecretRow
            key={secret.name}
            secret={secret}
            onRename={() => rename(secret.name)}
            onDelete={() => setDoomed(secret.name)}
          />
        ))}
      </ul>
      {renamed !== undefined && <RenameSecret id={id} name={renamed} onClose={() => rename(undefined)} />}
      {isAdding && <NewSecret id={id} onClose={() => setAdding(false)} />}
      {doomed !== undefined && (
        <Confirm
          isOpen
          onClose={() => {
            setDoomed(undefined)
            remove.reset()
          }}
          title={t('secrets.delete', { name: doomed })}
          text={t('secrets.deleteText')}
          action={t('action.delete')}
          typed={doomed}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(
              { params: { id, name: doomed } },
              {
                onSuccess: () => {
                  setDoomed(undefined)
                  notify(t('secrets.deleted'))
                },
              },
            )
          }
        />
      )}
    </Card>
  )
}
