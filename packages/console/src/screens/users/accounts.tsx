/** The accounts that a user has elsewhere, at social providers and at the identity providers of companies, and how each is unlinked. */
import { may, useAnswer, useChanges } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Badge } from '../../parts/badge.tsx'
import { ItemList } from '../../parts/item-list.tsx'
import { notify } from '../../parts/toast.tsx'

const SOCIAL = 'social:'
const SSO = 'sso:'

/** What the provider calls the account, as far as it said so. */
const accountOf = (id: string, details: Readonly<Record<string, unknown>> | undefined): string => {
  const { name, email } = details ?? {}
  return [...new Set([name, email, id])].filter((each) => typeof each === 'string' && each !== '').join(' · ')
}

export const UserAccounts = ({ id }: { readonly id: string }) => {
  const { data, error } = useAnswer('listUserIdentities', { params: { userId: id } })
  const { data: companies = [] } = useAnswer('listSsoConnectors', {})
  const remove = useChanges()
  const nameOf = (ssoConnectorId: string, issuer: string) =>
    companies.find((each) => each.id === ssoConnectorId)?.connectorName ?? issuer
  return (
    <ItemList
      title={t('user.accounts')}
      text={t('user.accountsText')}
      items={
        data && [
          ...data.socialIdentities.map(({ target, identity }) => ({
            id: SOCIAL + target,
            title: target,
            detail: accountOf(identity.userId, identity.details),
          })),
          ...data.ssoIdentities.map(({ ssoConnectorId, ssoIdentity }) => ({
            id: SSO + ssoConnectorId,
            title: (
              <span className="flex flex-wrap items-center gap-2">
                {nameOf(ssoConnectorId, ssoIdentity.issuer)}
                <Badge>{t('user.company')}</Badge>
              </span>
            ),
            detail: accountOf(ssoIdentity.identityId, ssoIdentity.detail),
          })),
        ]
      }
      error={error}
      none={t('user.noAccounts')}
      removal={
        may('deleteUserIdentity', 'deleteUserSsoIdentity')
          ? {
              title: t('user.unlink'),
              text: (each) => t(each.startsWith(SSO) ? 'user.unlinkCompanyText' : 'user.unlinkText'),
              action: t('user.unlink'),
              isBusy: remove.isPending,
              error: remove.error,
              onClose: remove.reset,
              onRemove: (each, done) =>
                remove.mutate(
                  (client): Promise<unknown> =>
                    each.startsWith(SSO)
                      ? client.deleteUserSsoIdentity({ params: { userId: id, ssoConnectorId: each.slice(SSO.length) } })
                      : client.deleteUserIdentity({ params: { userId: id, target: each.slice(SOCIAL.length) } }),
                  {
                    onSuccess: () => {
                      done()
                      notify(t('user.unlinked'))
                    },
                  },
                ),
            }
          : undefined
      }
    />
  )
}
