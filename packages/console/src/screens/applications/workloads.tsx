/** Which workloads authenticate as an application with a token of their own platform, in place of a secret (RFC 7523). */
import { useState } from 'react'
import { may, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CheckRow } from '../../parts/check-row.tsx'
import { Field } from '../../parts/field.tsx'
import { useForm } from '../../parts/form.ts'
import { type FormRow, linesOf, RowList, rowsOf, textOfRows } from '../../parts/row-list.tsx'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import { keysOf } from './authentication.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

type Credential = NonNullable<Application['customClientMetadata']['federatedCredentials']>[number]

/** What is known of a platform: its issuer where all customers have one, and how its subjects look. */
interface Platform {
  readonly title: string
  readonly issuer?: string
  readonly subject: string
  /** Whether it gives the same token several times, or tokens without an id. */
  readonly isReusable?: true
}

const PLATFORMS: Readonly<Record<string, Platform>> = {
  github: {
    title: 'GitHub Actions',
    issuer: 'https://token.actions.githubusercontent.com',
    subject: 'repo:octo/shop:ref:refs/heads/main',
  },
  gitlab: { title: 'GitLab', issuer: 'https://gitlab.com', subject: 'project_path:octo/shop:ref_type:branch:ref:main' },
  kubernetes: { title: 'Kubernetes', subject: 'system:serviceaccount:shop:worker', isReusable: true },
  google: {
    title: 'Google Cloud',
    issuer: 'https://accounts.google.com',
    subject: '104029292853099978293',
    isReusable: true,
  },
  aws: { title: 'AWS', subject: 'arn:aws:iam::123456789012:role/worker' },
  azure: { title: 'Azure', subject: '3f0b7ad2-4c1e-4b0a-9d55-0e6c2b7f9a11', isReusable: true },
}

const platformOf = (issuer: string): string =>
  Object.entries(PLATFORMS).find(([, platform]) => platform.issuer === issuer)?.[0] ?? 'other'

const rowOf = (credential: Credential): FormRow => ({
  platform: platformOf(credential.issuer),
  name: credential.name,
  issuer: credential.issuer,
  subject: credential.subject ?? '',
  claims: (credential.claims ?? []).map(({ name, value }) => `${name}=${value}`).join('\n'),
  audience: credential.audience ?? '',
  jwksUri: credential.jwksUri ?? '',
  jwks: credential.jwks ? JSON.stringify(credential.jwks, null, 2) : '',
  isReusable: String(credential.isReusable ?? false),
})

/** `name=value`: a value may have more of them. */
const claimOf = (line: string) => {
  const [name = '', ...value] = line.split('=')
  return { name: name.trim(), value: value.join('=').trim() }
}

/** Undefined when the keys of the row are no key set. */
const credentialOf = (row: FormRow): Credential | undefined => {
  const keys = keysOf(row.jwks ?? '')
  if (keys === undefined) return undefined
  const claims = linesOf(row.claims).map(claimOf)
  const texts = ['subject', 'audience', 'jwksUri'] as const
  return {
    name: row.name ?? '',
    issuer: (row.issuer ?? '').trim(),
    ...Object.fromEntries(texts.flatMap((each) => (row[each]?.trim() ? [[each, row[each].trim()]] : []))),
    ...(claims.length > 0 ? { claims } : {}),
    ...(keys === null ? {} : { jwks: keys }),
    ...(row.isReusable === 'true' ? { isReusable: true } : {}),
  }
}

const WorkloadFields = ({
  row,
  set,
  keyError,
}: {
  readonly row: FormRow
  readonly set: (change: FormRow) => void
  readonly keyError: string | undefined
}) => {
  const platform = PLATFORMS[row.platform ?? '']
  const field = (name: 'subject' | 'issuer' | 'audience' | 'jwksUri') => ({
    name,
    value: row[name] ?? '',
    onChange: (next: string) => set({ [name]: next }),
    isMonospace: true,
  })
  return (
    <>
      <SelectField
        label={t('workloads.platform')}
        value={row.platform ?? 'other'}
        choices={[
          ...Object.entries(PLATFORMS).map(([id, { title }]) => [id, title] as const),
          ['other', t('workloads.other')],
        ]}
        onChange={(id) =>
          set({
            platform: id,
            issuer: PLATFORMS[id]?.issuer ?? '',
            isReusable: String(PLATFORMS[id]?.isReusable === true),
          })
        }
      />
      <Field
        name="name"
        label={t('applications.name')}
        value={row.name ?? ''}
        onChange={(name) => set({ name })}
        isRequired
      />
      <Field {...field('issuer')} label={t('start.issuer')} placeholder="https://" isRequired />
      <Field
        {...field('subject')}
        label={t('workloads.subject')}
        hint={t('workloads.subjectHint')}
        placeholder={platform?.subject ?? ''}
      />
      <Field
        name="claims"
        label={t('workloads.claims')}
        hint={t('workloads.claimsHint')}
        value={row.claims ?? ''}
        onChange={(claims) => set({ claims })}
        placeholder="environment=production"
        rows={2}
        isMonospace
      />
      <Field {...field('audience')} label={t('explain.audience')} hint={t('workloads.audienceHint')} />
      {row.platform !== platformOf(row.issuer ?? '') || row.platform === 'other' || row.jwksUri || row.jwks ? (
        <>
          <Field {...field('jwksUri')} label={t('authentication.jwksUri')} hint={t('workloads.keysHint')} />
          <Field
            name="jwks"
            label={t('authentication.keys')}
            value={row.jwks ?? ''}
            onChange={(jwks) => set({ jwks })}
            error={keyError}
            rows={4}
            isMonospace
          />
        </>
      ) : null}
      <CheckRow
        label={t('workloads.isReusable')}
        text={t('workloads.isReusable.hint')}
        isOn={row.isReusable === 'true'}
        onChange={(isOn) => set({ isReusable: String(isOn) })}
      />
    </>
  )
}

export const Workloads = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const form = useForm(`application.${id}.workloads`, {
    rows: textOfRows((stored.federatedCredentials ?? []).map(rowOf)),
  })
  const update = useChange('updateApplication')
  const [isRefused, refuse] = useState(false)
  const isReadOnly = !may('updateApplication')
  const submit = () => {
    const credentials = rowsOf(form.values.rows).flatMap((row) => credentialOf(row) ?? [])
    const isWhole = credentials.length === rowsOf(form.values.rows).length
    refuse(!isWhole)
    if (!isWhole) return
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            federatedCredentials: credentials.length > 0 ? credentials : undefined,
          }),
        },
      },
      {
        onSuccess: () => {
          form.reset()
          notify(t('form.saved'))
        },
      },
    )
  }
  return (
    <SettingsCard
      title={t('workloads.title')}
      text={t('workloads.text')}
      form={form}
      change={update}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <RowList
        label={t('workloads.accepted')}
        addLabel={t('workloads.add')}
        value={form.values.rows}
        onChange={(rows) => form.set('rows', rows)}
        blank={{ platform: 'github', issuer: PLATFORMS.github?.issuer ?? '' }}
      >
        {(row, set) => (
          <WorkloadFields
            row={row}
            set={set}
            keyError={isRefused && keysOf(row.jwks ?? '') === undefined ? t('connectors.noJson') : undefined}
          />
        )}
      </RowList>
    </SettingsCard>
  )
}
