/** With what a claims script is tested: sample data, or what it would get for a real user or application. */
import type { Input } from '../../api/client.ts'
import { may, useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { Select } from '../../parts/select.tsx'
import { ApplicationChoice, UserChoice } from '../explain/choices.tsx'
import type { Token } from './script.ts'

type Sent = NonNullable<NonNullable<Input<'testJwtCustomizer'>>['body']['subject']>
/** As it is being chosen. */
export type Subject = Partial<Sent>

/** What is sent; undefined: something is still to be chosen. */
export const subjectOf = (token: Token, { applicationId, ...rest }: Subject): Sent | undefined =>
  applicationId === undefined || (token === 'access-token' && rest.userId === undefined)
    ? undefined
    : { ...rest, applicationId }

/** Whether the administrator may see what the script would. */
export const maySubject = (): boolean => may('listUsers', 'listApplications', 'listRoles', 'listOrganizations')

interface SubjectProps {
  readonly token: Token
  /** Undefined: sample data. */
  readonly subject: Subject | undefined
  readonly onChange: (subject: Subject | undefined) => void
}

export const SubjectFields = ({ token, subject, onChange }: SubjectProps) => {
  const isReal = subject !== undefined
  const { userId, applicationId, resource = '', organizationId = '' } = subject ?? {}
  const isOfUser = token === 'access-token'
  const { data: apis = [] } = useAnswer('listResources', { query: {} }, isReal)
  const ofUser = { params: { userId: userId ?? '' } }
  const { data: organizations = [] } = useAnswer('listUserOrganizations', ofUser, isReal && userId !== undefined)
  const put = (next: { readonly [Name in keyof Subject]: Subject[Name] | undefined }) =>
    onChange(Object.fromEntries(Object.entries({ ...subject, ...next }).filter(([, value]) => value)))
  const none = [['', t('explain.noneOf')]] as const
  return (
    <div className="space-y-4">
      <Select
        label={t('claims.data')}
        value={isReal ? 'real' : 'sample'}
        choices={[
          ['sample', t('claims.data.sample')],
          ['real', t(isOfUser ? 'claims.data.user' : 'claims.data.application')],
        ]}
        onChange={(next) => onChange(next === 'real' ? {} : undefined)}
      />
      {isReal && (
        <div className="grid gap-4 sm:grid-cols-2">
          {isOfUser && <UserChoice id={userId} onChoose={(id) => put({ userId: id, organizationId: undefined })} />}
          <ApplicationChoice id={applicationId} onChoose={(id) => put({ applicationId: id })} />
          {may('listResources') && (
            <div className="min-w-0">
              <div className="mb-1 font-medium">{t('log.resource')}</div>
              <Select
                label={t('log.resource')}
                value={resource}
                choices={[...none, ...apis.map(({ indicator, name }) => [indicator, name] as const)]}
                onChange={(next) => put({ resource: next || undefined })}
              />
            </div>
          )}
          {isOfUser && may('listUserOrganizations') && (
            <div className="min-w-0">
              <div className="mb-1 font-medium">{t('log.organization')}</div>
              <Select
                label={t('log.organization')}
                value={organizationId}
                choices={[...none, ...organizations.map(({ id, name }) => [id, name] as const)]}
                onChange={(next) => put({ organizationId: next || undefined })}
              />
            </div>
          )}
        </div>
      )}
    </div>
  )
}
