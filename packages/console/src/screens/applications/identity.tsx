/** Under which identifier an application knows users, what ID tokens say about them, and whom an identifier names. */
import { useState } from 'react'
import { may, useAnswer, useChange } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { Field } from '../../parts/field.tsx'
import { errorAt, useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { useRested } from '../../parts/rested.ts'
import { SelectField } from '../../parts/select.tsx'
import { SettingsCard } from '../../parts/settings-card.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'

const PAUSE_MS = 300
const KEY_ALGORITHMS = ['RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'] as const
const ENCRYPTED = [
  ['idTokenEncryptedResponseAlg', 'idTokenEncryptedResponseEnc', 'identity.idTokenEncryption'],
  ['userinfoEncryptedResponseAlg', 'userinfoEncryptedResponseEnc', 'identity.userinfoEncryption'],
] as const
const ALGORITHMS = ['ES256', 'RS256', 'PS256', 'ES384', 'EdDSA'] as const

export const Identity = ({ application }: { readonly application: Application }) => {
  const { id, customClientMetadata: stored } = application
  const before = stored.subjectType ?? 'public'
  const form = useForm(`application.${id}.identity`, {
    subjectType: before as string,
    sector: stored.sectorIdentifierUri ?? '',
    userinfo: (stored.userinfoSignedResponseAlg ?? '') as string,
    claims: (stored.idTokenClaims ?? 'scopes') as string,
    idTokenEncryptedResponseAlg: (stored.idTokenEncryptedResponseAlg ?? '') as string,
    userinfoEncryptedResponseAlg: (stored.userinfoEncryptedResponseAlg ?? '') as string,
  })
  const { values, set, reset } = form
  const update = useChange('updateApplication')
  const isReadOnly = !may('updateApplication')
  const sectorError = errorAt(update.error, 'customClientMetadata.sectorIdentifierUri')
  const submit = () =>
    update.mutate(
      {
        params: { id },
        body: {
          customClientMetadata: metadataWith(application, {
            subjectType: values.subjectType === 'pairwise' ? 'pairwise' : undefined,
            sectorIdentifierUri: (values.subjectType === 'pairwise' && values.sector.trim()) || undefined,
            userinfoSignedResponseAlg: ALGORITHMS.find((each) => each === values.userinfo),
            idTokenClaims: values.claims === 'requested' ? 'requested' : undefined,
            ...Object.fromEntries(
              ENCRYPTED.flatMap(([alg, enc]) => {
                const chosen = KEY_ALGORITHMS.find((each) => each === values[alg])
                return [
                  [alg, chosen],
                  [enc, chosen && stored[enc]],
                ]
              }),
            ),
          }),
        },
      },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  return (
    <SettingsCard
      title={t('identity.title')}
      text={t('identity.text')}
      form={form}
      change={update}
      isPlaced={sectorError !== undefined}
      isReadOnly={isReadOnly}
      onSubmit={submit}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t('identity.subjectType')}
          value={values.subjectType}
          choices={[
            ['public', t('identity.public')],
            ['pairwise', t('identity.pairwise')],
          ]}
          onChange={(next) => set('subjectType', next)}
          isReadOnly={isReadOnly}
        />
        <SelectField
          label={t('identity.claims')}
          value={values.claims}
          choices={[
            ['scopes', t('identity.scopes')],
            ['requested', t('identity.requested')],
          ]}
          onChange={(next) => set('claims', next)}
          isReadOnly={isReadOnly}
        />
        <SelectField
          label={t('identity.userinfo')}
          value={values.userinfo}
          choices={[['', 'JSON'], ...ALGORITHMS.map((each) => [each, `JWT (${each})`] as const)]}
          onChange={(next) => set('userinfo', next)}
          isReadOnly={isReadOnly}
        />
        {ENCRYPTED.map(([alg, , label]) => (
          <SelectField
            key={alg}
            label={t(label)}
            value={values[alg]}
            choices={[['', t('identity.noEncryption')], ...KEY_ALGORITHMS.map((each) => [each, each] as const)]}
            onChange={(next) => set(alg, next)}
            isReadOnly={isReadOnly}
          />
        ))}
      </div>
      {values.subjectType !== before && (
        <p role="status" className="text-bad">
          {t('identity.change')}
        </p>
      )}
      {values.subjectType === 'pairwise' && (
        <Field
          name="sectorIdentifierUri"
          label={t('identity.sector')}
          hint={t('identity.sectorHint')}
          value={values.sector}
          onChange={(next) => set('sector', next)}
          error={sectorError}
          placeholder="https://example.com/redirect-uris.json"
          isReadOnly={isReadOnly}
          isMonospace
        />
      )}
    </SettingsCard>
  )
}

/** For support: an application reports users by what it knows of them. */
export const FindUser = ({ applicationId }: { readonly applicationId: string }) => {
  const [typed, setTyped] = useState('')
  const named = useRested(typed.trim(), PAUSE_MS)
  const { data, error } = useAnswer(
    'findApplicationSubject',
    { params: { applicationId, userId: named || '-' } },
    named !== '',
  )
  return (
    <Card title={t('identity.find')} text={t('identity.findText')}>
      <div className="max-w-2xl space-y-4">
        <Field
          name="named"
          label={t('identity.named')}
          value={typed}
          onChange={setTyped}
          error={named !== '' && error ? t('identity.unknown') : undefined}
          isMonospace
        />
        {named !== '' && data && (
          <div className="grid gap-4 sm:grid-cols-2">
            <CopyField label={t('identity.userId')} value={data.userId} />
            <CopyField label="sub" value={data.subject} />
          </div>
        )}
      </div>
    </Card>
  )
}
