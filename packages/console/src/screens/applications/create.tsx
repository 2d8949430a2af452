/** A new application: what it is, its name, where users come back to. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Page } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import { NAME_ID_FORMATS } from '../saml/settings.ts'
import { KINDS } from './kinds.ts'

export const CreateApplication = () => {
  const navigate = useNavigate()
  const { values, set, reset } = useForm('new-application', {
    kind: 'spa',
    name: '',
    redirectUri: '',
    isThirdParty: 'false',
  })
  const create = useChange('createApplication')
  const createSaml = useChange('createSamlApplication')
  const [missing, setMissing] = useState(false)
  const nameRow = useRef<HTMLDivElement>(null)
  const kind = KINDS.find(({ id }) => id === values.kind) ?? KINDS[0]
  if (!kind) return null
  const failure = kind.type === 'SAML' ? createSaml.error : create.error
  const isUsers = kind.type !== 'MachineToMachine' && kind.type !== 'SAML'
  const nameError = missing && !values.name.trim() ? t('form.required') : errorAt(failure, 'name')
  const uriError = errorAt(create.error, 'oidcClientMetadata')

  const submit = () => {
    if (!values.name.trim()) {
      setMissing(true)
      nameRow.current?.querySelector('input')?.focus()
      return
    }
    const onSuccess = ({ id, name }: { readonly id: string; readonly name: string }) => {
      reset()
      notify(t('applications.created.notice', { name }))
      void navigate({ to: '/applications/$id', params: { id } })
    }
    if (kind.type === 'SAML') {
      createSaml.mutate({ body: { name: values.name.trim(), nameIdFormat: NAME_ID_FORMATS[0][0] } }, { onSuccess })
      return
    }
    create.mutate(
      {
        body: {
          name: values.name.trim(),
          type: kind.type,
          ...(isUsers && values.isThirdParty === 'true' ? { isThirdParty: true } : {}),
          ...(kind.settings ? { customClientMetadata: kind.settings } : {}),
          ...(kind.hasRedirect && values.redirectUri.trim()
            ? { oidcClientMetadata: { redirectUris: [values.redirectUri.trim()] } }
            : {}),
        },
      },
      { onSuccess },
    )
  }

  return (
    <Page title={t('applications.create')} up={{ to: '/applications', title: t('nav.applications') }}>
      <form
        noValidate
        className="max-w-3xl space-y-6"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <fieldset>
          <legend className="mb-2 font-medium">{t('create.kind')}</legend>
          <div className="grid gap-3 sm:grid-cols-2">
            {KINDS.map(({ id, title, text, icon: Icon }) => (
              <label
                key={id}
                className="flex cursor-pointer items-start gap-3 rounded-xl border border-line bg-surface p-4 transition-colors hover:border-edge has-checked:border-accent has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
              >
                <input
                  type="radio"
                  name="kind"
                  value={id}
                  checked={kind.id === id}
                  onChange={() => set('kind', id)}
                  className="sr-only"
                />
                <Icon size={20} aria-hidden className="mt-0.5 shrink-0 text-accent" />
                <span>
                  <span className="block font-medium">{t(title)}</span>
                  <span className="block text-soft">{t(text)}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <div ref={nameRow}>
          <Field
            name="name"
            label={t('applications.name')}
            value={values.name}
            onChange={(name) => set('name', name)}
            error={nameError}
            placeholder={t('create.namePlaceholder')}
            isRequired
          />
        </div>
        {kind.hasRedirect && (
          <Field
            name="redirectUri"
            label={t('create.redirect')}
            value={values.redirectUri}
            onChange={(uri) => set('redirectUri', uri)}
            hint={t('create.redirectHint')}
            error={uriError}
            placeholder="http://localhost:3000/callback"
            isMonospace
          />
        )}
        {isUsers && (
          <SwitchRow
            label={t('create.thirdParty')}
            text={t('create.thirdPartyText')}
            isOn={values.isThirdParty === 'true'}
            onChange={(isOn) => set('isThirdParty', String(isOn))}
          />
        )}
        {failure && nameError === undefined && uriError === undefined && <ErrorState error={failure} />}
        <div className="flex gap-2">
          <Button look="primary" type="submit" isBusy={create.isPending || createSaml.isPending}>
            {t('applications.create')}
          </Button>
          <Link to="/applications" onClick={reset} className={buttonClass('ghost')}>
            {t('action.cancel')}
          </Link>
        </div>
      </form>
    </Page>
  )
}
