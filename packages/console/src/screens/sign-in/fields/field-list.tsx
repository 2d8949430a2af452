/** The fields of profiles in their order: each is edited, moved and deleted here. */
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../../api/client.ts'
import { t } from '../../../languages/languages.ts'
import { ShowApiCall } from '../../../parts/api-call.tsx'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { ItemList } from '../../../parts/item-list.tsx'
import { ErrorState } from '../../../parts/states.tsx'
import { notify } from '../../../parts/toast.tsx'
import type { Settings } from '../settings.ts'
import { EditField, FieldForm } from './field-form.tsx'

type Listed = Answer<'listCustomProfileFields'>[number]

/** @param isUsed whether users are asked for it, or shown it */
const Deletion = ({
  name,
  isUsed,
  onClose,
}: {
  readonly name: string
  readonly isUsed: boolean
  readonly onClose: () => void
}) => {
  const remove = useChange('deleteCustomProfileField')
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t('fields.deleteOne', { name })}
      text={t('fields.deleteText')}
      action={t('action.delete')}
      {...(isUsed ? { typed: name } : {})}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { name } },
          {
            onSuccess: () => {
              onClose()
              notify(t('fields.deleted', { name }))
            },
          },
        )
      }
    />
  )
}

/** What users are asked for at registration, or see on the account pages. */
const useIsUsed = ({ signUpProfileFields: asked }: Settings): ((name: string) => boolean) => {
  const { data: center } = useAnswer('getAccountCenter', {})
  const shown = center?.enabled ? center.profileFields : []
  return (name) => [asked, shown].some((named) => named === null || named?.some((each) => each.name === name))
}

export const FieldList = ({ settings }: { readonly settings: Settings }) => {
  const { data: fields, error } = useAnswer('listCustomProfileFields', {})
  const order = useChange('orderCustomProfileFields')
  const [opened, open] = useState<{ readonly what: 'add' | 'edit' | 'delete'; readonly name: string }>()
  const isUsed = useIsUsed(settings)
  const close = () => open(undefined)
  const swap = (one: Listed, other: Listed) =>
    order.mutate({
      body: {
        order: [
          { name: one.name, sieOrder: other.sieOrder },
          { name: other.name, sieOrder: one.sieOrder },
        ],
      },
    })
  const mayEdit = may('replaceCustomProfileField', 'getCustomProfileField')
  const actionsOf = (field: Listed, before: Listed | undefined, after: Listed | undefined) => {
    const { name } = field
    return (
      <span className="flex">
        {may('orderCustomProfileFields') && (
          <>
            <IconButton
              label={t('fields.up', { name })}
              disabled={!before || order.isPending}
              onClick={() => before && swap(field, before)}
              className="disabled:opacity-30"
            >
              <ArrowUp size={16} />
            </IconButton>
            <IconButton
              label={t('fields.down', { name })}
              disabled={!after || order.isPending}
              onClick={() => after && swap(field, after)}
              className="disabled:opacity-30"
            >
              <ArrowDown size={16} />
            </IconButton>
          </>
        )}
        {mayEdit && (
          <IconButton label={t('fields.editOne', { name })} onClick={() => open({ what: 'edit', name })}>
            <Pencil size={16} />
          </IconButton>
        )}
        {may('deleteCustomProfileField') && (
          <IconButton label={t('fields.deleteOne', { name })} onClick={() => open({ what: 'delete', name })}>
            <Trash2 size={16} />
          </IconButton>
        )}
      </span>
    )
  }
  return (
    <>
      <ItemList
        title={t('fields.title')}
        text={t('fields.text')}
        items={fields?.map((field, at) => ({
          id: field.id,
          title: field.label || field.name,
          detail: (
            <>
              <code dir="ltr" className="font-mono">
                {field.name}
              </code>
              {[t(`fields.type.${field.type}`), ...(field.required ? [t('fields.required')] : [])].map(
                (each) => ` · ${each}`,
              )}
            </>
          ),
          actions: actionsOf(field, fields[at - 1], fields[at + 1]),
        }))}
        error={error}
        none={t('fields.none')}
        actions={
          <>
            <ShowApiCall
              calls={[
                { id: 'listCustomProfileFields' },
                {
                  id: 'createCustomProfileField',
                  input: { body: { name: 'company', type: 'Text', label: 'Company', required: false } },
                },
              ]}
            />
            {may('createCustomProfileField') && (
              <Button onClick={() => open({ what: 'add', name: '' })}>
                <Plus size={15} aria-hidden />
                {t('fields.add')}
              </Button>
            )}
          </>
        }
      />
      {order.error && <ErrorState error={order.error} />}
      {opened?.what === 'add' && <FieldForm onClose={close} />}
      {opened?.what === 'edit' && <EditField name={opened.name} onClose={close} />}
      {opened?.what === 'delete' && <Deletion name={opened.name} isUsed={isUsed(opened.name)} onClose={close} />}
    </>
  )
}
