/** The addresses of the console. Each screen is loaded when it is opened; what a list shows is in its address. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { t, withPhrases } from './languages/languages.ts'
import { buttonClass } from './parts/button.tsx'
import { EmptyState, ErrorState, Loading } from './parts/states.tsx'
import { exchangedOf } from './screens/explain/exchanged.ts'
import { Shell } from './shell/shell.tsx'

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
const pageNumber = (value: unknown): number | undefined => {
  const page = Number(value)
  return Number.isInteger(page) && page > 1 ? page : undefined
}
/** Leaves out what an address does not say. */
const said = <T extends Record<string, unknown>>(values: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never

const root = createRootRoute({ component: Shell })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/home/home.tsx'), 'Home'),
})
const applications = createRoute({
  getParentRoute: () => root,
  path: '/applications',
  validateSearch: ({ search, type, page }) => said({ search: text(search), type: text(type), page: pageNumber(page) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/applications/list.tsx')), 'ApplicationList'),
})
const newApplication = createRoute({
  getParentRoute: () => root,
  path: '/applications/new',
  component: lazyRouteComponent(() => withPhrases(import('./screens/applications/create.tsx')), 'CreateApplication'),
})
const registration = createRoute({
  getParentRoute: () => root,
  path: '/applications/registration',
  component: lazyRouteComponent(() => withPhrases(import('./screens/registration/registration.tsx')), 'Registration'),
})
const documents = createRoute({
  getParentRoute: () => root,
  path: '/applications/documents',
  component: lazyRouteComponent(() => withPhrases(import('./screens/registration/documents.tsx')), 'Documents'),
})
const application = createRoute({
  getParentRoute: () => root,
  path: '/applications/$id',
  validateSearch: ({ tab }) => said({ tab: text(tab) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/applications/detail.tsx')), 'ApplicationDetail'),
})
const users = createRoute({
  getParentRoute: () => root,
  path: '/users',
  validateSearch: ({ search, page, status, factor, signIn, created }) =>
    said({
      search: text(search),
      page: pageNumber(page),
      status: text(status),
      factor: text(factor),
      signIn: text(signIn),
      created: text(created),
    }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/users/list.tsx')), 'UserList'),
})
const user = createRoute({
  getParentRoute: () => root,
  path: '/users/$id',
  validateSearch: ({ tab }) => said({ tab: text(tab) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/users/detail.tsx')), 'UserDetail'),
})
const importUsers = createRoute({
  getParentRoute: () => root,
  path: '/users/import',
  component: lazyRouteComponent(() => withPhrases(import('./screens/users/import/import.tsx')), 'ImportUsers'),
})
const organizations = createRoute({
  getParentRoute: () => root,
  path: '/organizations',
  validateSearch: ({ search, page }) => said({ search: text(search), page: pageNumber(page) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/organizations/list.tsx')), 'OrganizationList'),
})
const organization = createRoute({
  getParentRoute: () => root,
  path: '/organizations/$id',
  validateSearch: ({ tab, search, page }) => said({ tab: text(tab), search: text(search), page: pageNumber(page) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/organizations/detail.tsx')), 'OrganizationDetail'),
})
const organizationTemplate = createRoute({
  getParentRoute: () => root,
  path: '/organizations/template',
  validateSearch: ({ tab, search, page }) => said({ tab: text(tab), search: text(search), page: pageNumber(page) }),
  component: lazyRouteComponent(
    () => withPhrases(import('./screens/organizations/template.tsx')),
    'OrganizationTemplate',
  ),
})
const organizationRole = createRoute({
  getParentRoute: () => root,
  path: '/organizations/roles/$id',
  component: lazyRouteComponent(() => withPhrases(import('./screens/organizations/role.tsx')), 'OrganizationRole'),
})
const directories = createRoute({
  getParentRoute: () => root,
  path: '/scim',
  validateSearch: ({ page }) => said({ page: pageNumber(page) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/scim/list.tsx')), 'DirectoryList'),
})
const directory = createRoute({
  getParentRoute: () => root,
  path: '/scim/$id',
  validateSearch: ({ tab, page }) => said({ tab: text(tab), page: pageNumber(page) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/scim/detail.tsx')), 'DirectoryDetail'),
})
const apis = createRoute({
  getParentRoute: () => root,
  path: '/apis',
  validateSearch: ({ search, page }) => said({ search: text(search), page: pageNumber(page) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/apis/list.tsx')), 'ApiList'),
})
const api = createRoute({
  getParentRoute: () => root,
  path: '/apis/$id',
  validateSearch: ({ tab, search, page, type }) =>
    said({ tab: text(tab), search: text(search), page: pageNumber(page), type: text(type) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/apis/detail.tsx')), 'ApiDetail'),
})
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => withPhrases(import('./screens/webhooks/list.tsx')), 'WebhookList'),
})
const newWebhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/new',
  component: lazyRouteComponent(() => withPhrases(import('./screens/webhooks/create.tsx')), 'CreateWebhook'),
})
const eventCatalogue = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/events',
  validateSearch: ({ event }) => said({ event: text(event) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/webhooks/events.tsx')), 'EventCatalogue'),
})
const eventFeed = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/feed',
  validateSearch: ({ event }) => said({ event: text(event) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/webhooks/feed.tsx')), 'EventFeed'),
})
const signals = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/signals',
  component: lazyRouteComponent(() => withPhrases(import('./screens/webhooks/signals.tsx')), 'Signals'),
})
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: ({ tab, state, event, page, delivery }) =>
    said({ tab: text(tab), state: text(state), event: text(event), page: pageNumber(page), delivery: text(delivery) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/webhooks/detail.tsx')), 'WebhookDetail'),
})
const signInExperience = createRoute({
  getParentRoute: () => root,
  path: '/sign-in-experience',
  validateSearch: ({ tab, language }) => said({ tab: text(tab), language: text(language) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/sign-in/sign-in.tsx')), 'SignInExperience'),
})
const roles = createRoute({
  getParentRoute: () => root,
  path: '/roles',
  validateSearch: ({ search, type, page }) => said({ search: text(search), type: text(type), page: pageNumber(page) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/roles/list.tsx')), 'RoleList'),
})
const role = createRoute({
  getParentRoute: () => root,
  path: '/roles/$id',
  validateSearch: ({ tab, search, page }) => said({ tab: text(tab), search: text(search), page: pageNumber(page) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/roles/detail.tsx')), 'RoleDetail'),
})
const explain = createRoute({
  getParentRoute: () => root,
  path: '/explain',
  validateSearch: ({
    user: userId,
    application: applicationId,
    by,
    of,
    resource,
    organization: organizationId,
    scope,
  }) =>
    said({
      user: text(userId),
      application: text(applicationId),
      by: exchangedOf(by),
      of: text(of),
      resource: text(resource),
      organization: text(organizationId),
      scope: text(scope),
    }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/explain/explain.tsx')), 'Explain'),
})
const connectors = createRoute({
  getParentRoute: () => root,
  path: '/connectors',
  component: lazyRouteComponent(() => withPhrases(import('./screens/connectors/list.tsx')), 'ConnectorList'),
})
const newConnector = createRoute({
  getParentRoute: () => root,
  path: '/connectors/new',
  validateSearch: ({ kind, service }) => said({ kind: text(kind), service: text(service) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/connectors/create.tsx')), 'CreateConnector'),
})
const connector = createRoute({
  getParentRoute: () => root,
  path: '/connectors/$id',
  component: lazyRouteComponent(() => withPhrases(import('./screens/connectors/detail.tsx')), 'ConnectorDetail'),
})
const messages = createRoute({
  getParentRoute: () => root,
  path: '/connectors/messages',
  validateSearch: ({ tab, usage, language }) => said({ tab: text(tab), usage: text(usage), language: text(language) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/connectors/messages.tsx')), 'Messages'),
})
const ssoConnector = createRoute({
  getParentRoute: () => root,
  path: '/connectors/sso/$id',
  component: lazyRouteComponent(() => withPhrases(import('./screens/connectors/sso-detail.tsx')), 'SsoDetail'),
})
const claims = createRoute({
  getParentRoute: () => root,
  path: '/claims',
  validateSearch: ({ token }) => said({ token: text(token) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/claims/claims.tsx')), 'Claims'),
})
const log = createRoute({
  getParentRoute: () => root,
  path: '/log',
  validateSearch: ({
    user: userId,
    application: applicationId,
    entity,
    key,
    request,
    requestId,
    result,
    day,
    page,
    entry,
  }) =>
    said({
      user: text(userId),
      application: text(applicationId),
      entity: text(entity),
      key: text(key),
      // as answers and error pages name it
      request: text(request ?? requestId),
      day: text(day),
      result: result === 'Success' || result === 'Error' ? (result as 'Success' | 'Error') : undefined,
      page: pageNumber(page),
      entry: text(entry),
    }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/log/log.tsx')), 'Log'),
})
const health = createRoute({
  getParentRoute: () => root,
  path: '/health',
  validateSearch: ({ tab }) => said({ tab: text(tab) }),
  component: lazyRouteComponent(() => withPhrases(import('./screens/health/health.tsx')), 'Health'),
})
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => withPhrases(import('./screens/settings/administrators.tsx')), 'Administrators'),
})

const Failed = ({ error, reset }: ErrorComponentProps) => <ErrorState error={error} retry={reset} />

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    applications,
    newApplication,
    registration,
    documents,
    application,
    users,
    user,
    importUsers,
    organizations,
    organization,
    organizationTemplate,
    organizationRole,
    directories,
    directory,
    apis,
    api,
    roles,
    role,
    explain,
    webhooks,
    newWebhook,
    eventCatalogue,
    eventFeed,
    signals,
    webhook,
    signInExperience,
    connectors,
    newConnector,
    connector,
    ssoConnector,
    messages,
    claims,
    log,
    health,
    settings,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: () => (
    <EmptyState icon={<SearchX size={20} />} title={t('state.notFound')}>
      <Link to="/" className={buttonClass()}>
        {t('nav.home')}
      </Link>
    </EmptyState>
  ),
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
