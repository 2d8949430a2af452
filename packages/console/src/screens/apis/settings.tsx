/** Name and token lifetime of an API, whether it is the default one, which tokens it takes, and its end. */
import { useNavigate } from '@tanstack/react-router'
import { type Answer, may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { DeleteCard } from '../../parts/delete-card.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { isBuiltIn } from './built-in.ts'

type Api = Answer<'getResource'>

const General = ({
  api: { id, name, indicator, accessTokenTtl },
  isFixed,
}: {
  readonly api: Api
  readonly isFixed: boolean
}) => {
  const { values, set, isChanged, reset } = useForm(`api.${id}`, { name, accessTokenTtl: String(accessTokenTtl) })
  const update = useChange('updateResource')
  const errors = { name: errorAt(update.error, 'name'), accessTokenTtl: errorAt(update.error, 'accessTokenTtl') }
  const submit = () =>
    update.mutate(
      { params: { id }, body: { name: values.name, accessTokenTtl: Number(values.accessTokenTtl) } },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  return (
    <Card title={t('api.settings')}>
      <form
        noValidate
        className="max-w-xl space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <CopyField label={t('apis.indicator')} value={indicator} />
        <Field
          name="name"
          label={t('apis.name')}
          value={values.name}
          onChange={(next) => set('name', next)}
          error={errors.name}
          isReadOnly={isFixed}
        />
        <Field
          name="accessTokenTtl"
          type="number"
          label={t('api.lifetime')}
          hint={t('api.lifetimeHint')}
          value={values.accessTokenTtl}
          onChange={(next) => set('accessTokenTtl', next)}
          error={errors.accessTokenTtl}
          isReadOnly={isFixed}
        />
        {update.error && !errors.name && !errors.accessTokenTtl && <ErrorState error={update.error} />}
        {!isFixed && <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />}
      </form>
    </Card>
  )
}

const Default = ({ api: { id, isDefault } }: { readonly api: Api }) => {
  const put = useChange('setDefaultResource')
  const change = (next: boolean, isUndo = false) =>
    put.mutate(
      { params: { id }, body: { isDefault: next } },
      { onSuccess: () => isUndo || notify(t('form.saved'), () => change(!next, true)) },
    )
  return (
    <Card title={t('api.isDefault')}>
      <SwitchRow label={t('api.useByDefault')} text={t('api.isDefaultText')} isOn={isDefault} onChange={change} />
      {put.error && <ErrorState error={put.error} />}
    </Card>
  )
}

type Protection = Partial<Pick<Api, 'senderConstraint' | 'dpopNonceRequired'>>

const BoundTokens = ({ api: { id, senderConstraint, dpopNonceRequired } }: { readonly api: Api }) => {
  const update = useChange('updateResource')
  const store = (body: Protection, before: Protection, isUndo = false) =>
    update.mutate(
      { params: { id }, body },
      { onSuccess: () => isUndo || notify(t('form.saved'), () => store(before, body, true)) },
    )
  const change = (next: Api['senderConstraint']) => store({ senderConstraint: next }, { senderConstraint })
  return (
    <Card title={t('api.protection')}>
      <SwitchRow
        label={t('api.boundTokens')}
        text={t('api.boundTokensText')}
        isOn={senderConstraint === 'dpop'}
        onChange={(isOn) => change(isOn ? 'dpop' : 'none')}
      />
      <SwitchRow
        label={t('api.certificateTokens')}
        text={t('api.certificateTokensText')}
        isOn={senderConstraint === 'mtls'}
        onChange={(isOn) => change(isOn ? 'mtls' : 'none')}
      />
      <SwitchRow
        label={t('security.dpopNonceRequired')}
        text={t('tokens.dpopNonceRequired.hint')}
        isOn={dpopNonceRequired}
        onChange={(isOn) => store({ dpopNonceRequired: isOn }, { dpopNonceRequired })}
      />
      {update.error && <ErrorState error={update.error} />}
    </Card>
  )
}

export const ApiSettings = ({ api }: { readonly api: Api }) => {
  const remove = useChange('deleteResource')
  const navigate = useNavigate()
  const isFixed = isBuiltIn(api)
  const { id, name } = api
  return (
    <>
      {isFixed && <p className="mb-4 text-soft">{t('api.builtInText')}</p>}
      <General api={api} isFixed={isFixed || !may('updateResource')} />
      {!isFixed && may('setDefaultResource') && <Default api={api} />}
      {!isFixed && may('updateResource') && <BoundTokens api={api} />}
      {!isFixed && may('deleteResource') && (
        <DeleteCard
          title={t('api.delete')}
          text={t('api.deleteText')}
          name={name}
          change={remove}
          onDelete={() =>
            remove.mutate(
              { params: { id } },
              {
                onSuccess: () => {
                  notify(t('api.deleted', { name }))
                  void navigate({ to: '/apis' })
                },
              },
            )
          }
        />
      )}
    </>
  )
}
