/** The form of what may be asked of users: what is learnt about them, and permissions in APIs and organizations. */
import { type Answer, type Client, type Input, useAnswer, useChanges } from '../../api/client.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { CheckRow } from '../../parts/check-row.tsx'
import { useForm } from '../../parts/form.ts'
import { idsOf, textOfIds } from '../../parts/id-set.ts'
import { Card } from '../../parts/page.tsx'
import { PermissionPicker } from '../../parts/permission-picker.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notify } from '../../parts/toast.tsx'
import { isBuiltIn } from '../apis/built-in.ts'

type Stored = Answer<'getUserConsentScopes'>
type UserScope = Stored['userScopes'][number]

const USER_SCOPES: Readonly<Record<UserScope, Phrase>> = {
  profile: 'consent.profile',
  email: 'consent.email',
  phone: 'consent.phone',
  address: 'consent.address',
  custom_data: 'consent.customData',
  identities: 'consent.identities',
  roles: 'consent.roles',
  'urn:logto:scope:organizations': 'consent.organizations',
  'urn:logto:scope:organization_roles': 'consent.organizationRoles',
  'urn:logto:scope:sessions': 'consent.sessions',
  'urn:logto:scope:trusted_devices': 'consent.trustedDevices',
}

/** As a form holds them, and as the address of a deletion names them. */
const KINDS = {
  userScopes: 'user-scopes',
  resourceScopes: 'resource-scopes',
  organizationScopes: 'organization-scopes',
  organizationResourceScopes: 'organization-resource-scopes',
} as const
type Kind = keyof typeof KINDS
/** What is asked for in addition, as both routes take it. */
type Added = Input<'addCimdUserConsentScopes'>['body']
const KIND_NAMES = Object.keys(KINDS) as Kind[]

const valuesOf = (stored: Stored): Record<Kind, string> => ({
  userScopes: textOfIds(stored.userScopes),
  resourceScopes: textOfIds(stored.resourceScopes.flatMap(({ scopes }) => scopes.map(({ id }) => id))),
  organizationScopes: textOfIds(stored.organizationScopes.map(({ id }) => id)),
  organizationResourceScopes: textOfIds(
    stored.organizationResourceScopes.flatMap(({ scopes }) => scopes.map(({ id }) => id)),
  ),
})

interface ConsentFormProps {
  /** Under which the browser keeps what is not saved yet. */
  readonly name: string
  readonly title: string
  readonly text: string
  readonly stored: Stored
  readonly add: (client: Client, added: Added) => Promise<unknown>
  readonly remove: (client: Client, scopeType: (typeof KINDS)[Kind], scopeId: string) => Promise<unknown>
  readonly isReadOnly: boolean
}

export const ConsentForm = ({ name, title, text, stored, add, remove, isReadOnly }: ConsentFormProps) => {
  const before = valuesOf(stored)
  const { values, set, isChanged, reset } = useForm(name, before)
  const changes = useChanges()
  const apis = useAnswer('listResources', { query: { includeScopes: 'true' } })
  const own = useAnswer('listOrganizationScopes', {})
  const asked = idsOf(values.userScopes)
  const submit = () =>
    changes.mutate(
      async (client) => {
        const missing = (now: string, then: string) => [...idsOf(now)].filter((each) => !idsOf(then).has(each))
        const added = KIND_NAMES.map((kind) => [kind, missing(values[kind], before[kind])] as const)
        const body: Added = Object.fromEntries(added.filter(([, ids]) => ids.length > 0))
        if (Object.keys(body).length > 0) await add(client, body)
        for (const kind of KIND_NAMES)
          for (const scopeId of missing(before[kind], values[kind])) await remove(client, KINDS[kind], scopeId)
      },
      {
        onSuccess: () => {
          reset()
          notify(t('form.saved'))
        },
      },
    )
  const ofApis = (apis.data ?? []).filter((api) => !isBuiltIn(api))
  const picker = (kind: Kind, groups: Parameters<typeof PermissionPicker>[0]['groups']) => (
    <PermissionPicker
      groups={groups}
      held={idsOf(values[kind])}
      onChange={(next) => set(kind, textOfIds(next))}
      isReadOnly={isReadOnly}
    />
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Card title={title} text={text}>
        <div className="grid gap-x-6 sm:grid-cols-2">
          {(Object.keys(USER_SCOPES) as UserScope[]).map((scope) => (
            <CheckRow
              key={scope}
              label={t(USER_SCOPES[scope])}
              text={scope}
              isOn={asked.has(scope)}
              isReadOnly={isReadOnly}
              onChange={(isOn) =>
                set('userScopes', textOfIds(isOn ? [...asked, scope] : [...asked].filter((each) => each !== scope)))
              }
            />
          ))}
        </div>
      </Card>
      {picker(
        'resourceScopes',
        ofApis.map((api) => ({ id: api.id, title: api.name, text: api.indicator, permissions: api.scopes ?? [] })),
      )}
      {own.data &&
        picker('organizationScopes', [
          { id: 'organization', title: t('template.own'), text: t('consent.ownText'), permissions: own.data },
        ])}
      {own.data &&
        picker(
          'organizationResourceScopes',
          ofApis.map((api) => ({
            id: api.id,
            title: t('consent.inOrganizations', { name: api.name }),
            text: api.indicator,
            permissions: api.scopes ?? [],
          })),
        )}
      {changes.error && <ErrorState error={changes.error} />}
      {!isReadOnly && <SaveBar isChanged={isChanged} isBusy={changes.isPending} onDiscard={reset} />}
    </form>
  )
}
