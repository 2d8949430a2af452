/** The email domains of an organization: proved by a TXT record, they lead its users to its own identity provider. */
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Answer, may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { ErrorState, Loading } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'

type Domain = Answer<'listOrganizationDomains'>[number]

const Line = ({ line, onRemove }: { readonly line: Domain; readonly onRemove: () => void }) => {
  const { organizationId, domain, verifiedAt, record } = line
  const verify = useChange('verifyOrganizationDomain')
  return (
    <li className="border-line py-3 not-last:border-b">
      <div className="flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere min-w-0 font-medium">{domain}</span>
        <Badge tone={verifiedAt === null ? 'warn' : 'good'}>
          {t(verifiedAt === null ? 'domains.unverified' : 'domains.verified')}
        </Badge>
        <span className="ms-auto flex items-center gap-1">
          {verifiedAt === null && may('verifyOrganizationDomain') && (
            <Button
              aria-label={`${t('domains.verify')}: ${domain}`}
              isBusy={verify.isPending}
              onClick={() =>
                verify.mutate(
                  { params: { id: organizationId, domain } },
                  { onSuccess: () => notify(t('domains.done', { domain })) },
                )
              }
            >
              {t('domains.verify')}
            </Button>
          )}
          {may('removeOrganizationDomain') && (
            <IconButton label={`${t('provisioning.removeDomain')}: ${domain}`} onClick={onRemove}>
              <Trash2 size={16} />
            </IconButton>
          )}
        </span>
      </div>
      {verifiedAt === null && (
        <div className="mt-2 space-y-2">
          <p className="text-soft">{t('domains.record')}</p>
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
            <CopyField label={t('domains.recordName')} value={record.name} />
            <CopyField label={t('domains.recordValue')} value={record.value} />
          </div>
        </div>
      )}
      {verify.error && <ErrorState error={verify.error} />}
    </li>
  )
}

const Add = ({ id }: { readonly id: string }) => {
  const { values, set, reset } = useForm(`organization-domain.${id}`, { domain: '', isVouchedFor: 'false' })
  const add = useChange('addOrganizationDomain')
  const error = errorAt(
    add.error,
    'domain',
    'entity.unique_integrity_violation',
    'single_sign_on.domain_in_use',
    'single_sign_on.forbidden_domains',
    'single_sign_on.invalid_domain_format',
  )
  return (
    <form
      noValidate
      className="mt-2 max-w-xl"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(
          {
            params: { id },
            body: { domain: values.domain.trim(), ...(values.isVouchedFor === 'true' ? { isVerified: true } : {}) },
          },
          {
            onSuccess: () => {
              reset()
              notify(t('form.saved'))
            },
          },
        )
      }}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Field
            name="domain"
            label={t('provisioning.domain')}
            value={values.domain}
            onChange={(next) => {
              add.reset()
              set('domain', next)
            }}
            error={error}
            placeholder="acme.com"
          />
        </div>
        <Button type="submit" className="mt-6.5" disabled={!values.domain.trim()} isBusy={add.isPending}>
          {t('provisioning.addDomain')}
        </Button>
      </div>
      {values.domain.trim() !== '' && (
        <SwitchRow
          label={t('domains.vouch')}
          text={t('domains.vouchText')}
          isOn={values.isVouchedFor === 'true'}
          onChange={(isOn) => set('isVouchedFor', String(isOn))}
        />
      )}
      {add.error && error === undefined && <ErrorState error={add.error} />}
    </form>
  )
}

export const OrganizationDomains = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useAnswer('listOrganizationDomains', { params: { id } })
  const remove = useChange('removeOrganizationDomain')
  const [doomed, doom] = useState<string>()
  const close = () => {
    doom(undefined)
    remove.reset()
  }
  return (
    <Card title={t('domains.title')} text={t('domains.text')}>
      {error ? <ErrorState error={error} retry={refetch} /> : data === undefined && <Loading lines={2} />}
      {data?.length === 0 && <p className="text-soft">{t('provisioning.noDomains')}</p>}
      <ul aria-label={t('domains.title')}>
        {data?.map((line) => (
          <Line key={line.domain} line={line} onRemove={() => doom(line.domain)} />
        ))}
      </ul>
      {may('addOrganizationDomain') && <Add id={id} />}
      {doomed !== undefined && (
        <Confirm
          isOpen
          onClose={close}
          title={`${t('provisioning.removeDomain')}: ${doomed}`}
          text={t('domains.removeText')}
          action={t('provisioning.removeDomain')}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ params: { id, domain: doomed } }, { onSuccess: close })}
        />
      )}
    </Card>
  )
}
