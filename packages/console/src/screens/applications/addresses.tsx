/** Where users may be sent back to after sign-in and sign-out, and which pages may call from the browser. */
import { may, useChange } from '../../api/client.ts'
import { failureOf } from '../../api/failure.ts'
import { t } from '../../languages/languages.ts'
import { AddressList } from '../../parts/address-list.tsx'
import { useForm } from '../../parts/form.ts'
import { Card } from '../../parts/page.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { SwitchRow } from '../../parts/switch-row.tsx'
import { notify } from '../../parts/toast.tsx'
import type { Application } from './kinds.ts'
import { metadataWith } from './metadata.ts'
import { RefusedAddresses } from './refused.tsx'

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const Addresses = ({ application }: { readonly application: Application }) => {
  const { id, isThirdParty, oidcClientMetadata, customClientMetadata } = application
  const { values, set, isChanged, reset } = useForm(`application.${id}.addresses`, {
    redirectUris: oidcClientMetadata.redirectUris.join('\n'),
    postLogoutRedirectUris: oidcClientMetadata.postLogoutRedirectUris.join('\n'),
    corsAllowedOrigins: (customClientMetadata.corsAllowedOrigins ?? []).join('\n'),
    wildcards: String(customClientMetadata.dangerouslyAllowWildcardRedirectUris ?? false),
  })
  const update = useChange('updateApplication')
  const { member, atField } = failureOf(update.error)
  const errorOf = (path: string) =>
    member?.startsWith(path) ? { at: Number(member.slice(path.length + 1)) || 0, sentence: atField ?? '' } : undefined
  const fields = [
    ['redirectUris', 'oidcClientMetadata.redirectUris', t('addresses.redirect'), t('addresses.redirectHint')],
    [
      'postLogoutRedirectUris',
      'oidcClientMetadata.postLogoutRedirectUris',
      t('addresses.logout'),
      t('addresses.logoutHint'),
    ],
    ['corsAllowedOrigins', 'customClientMetadata.corsAllowedOrigins', t('addresses.cors'), t('addresses.corsHint')],
  ] as const
  const isPlaced = fields.some(([, path]) => member?.startsWith(path))
  return (
    <Card title={t('addresses.title')} text={t('addresses.text')}>
      <form
        noValidate
        className="max-w-2xl space-y-6"
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate(
            {
              params: { id },
              body: {
                oidcClientMetadata: {
                  redirectUris: lines(values.redirectUris),
                  postLogoutRedirectUris: lines(values.postLogoutRedirectUris),
                },
                // replaced as a whole by the server
                customClientMetadata: metadataWith(application, {
                  corsAllowedOrigins: lines(values.corsAllowedOrigins),
                  dangerouslyAllowWildcardRedirectUris: values.wildcards === 'true' || undefined,
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
        }}
      >
        <RefusedAddresses
          applicationId={id}
          registered={lines(values.redirectUris)}
          onAdd={(address) => set('redirectUris', [...lines(values.redirectUris), address].join('\n'))}
        />
        {fields.map(([name, path, label, hint]) => (
          <AddressList
            key={name}
            label={label}
            hint={hint}
            value={values[name]}
            onChange={(next) => set(name, next)}
            error={errorOf(path)}
            isReadOnly={!may('updateApplication')}
          />
        ))}
        {!isThirdParty && (
          <SwitchRow
            label={t('addresses.wildcards')}
            text={t('addresses.wildcardsText')}
            isOn={values.wildcards === 'true'}
            onChange={(isOn) => set('wildcards', String(isOn))}
            isReadOnly={!may('updateApplication')}
          />
        )}
        {update.error && !isPlaced && <ErrorState error={update.error} />}
        {may('updateApplication') && <SaveBar isChanged={isChanged} isBusy={update.isPending} onDiscard={reset} />}
      </form>
    </Card>
  )
}
