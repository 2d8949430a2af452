/** The screens of the console in the order of the navigation. A new one adds a line here and a route in router.tsx. */
import {
  AppWindow,
  Blocks,
  Building2,
  Cable,
  FolderSync,
  HeartPulse,
  House,
  LogIn,
  type LucideIcon,
  ScanSearch,
  ScrollText,
  ShieldUser,
  SquareCode,
  UserRoundCheck,
  Users,
  Webhook,
} from 'lucide-react'
import type { Operation } from '../api/client.ts'
import type { Phrase } from '../languages/languages.ts'

export interface Screen {
  readonly to:
    | '/'
    | '/applications'
    | '/users'
    | '/organizations'
    | '/apis'
    | '/roles'
    | '/scim'
    | '/explain'
    | '/sign-in-experience'
    | '/connectors'
    | '/claims'
    | '/webhooks'
    | '/log'
    | '/health'
    | '/settings'
  readonly title: Phrase
  readonly icon: LucideIcon
  /** What it needs: an administrator who may not call these does not see it. */
  readonly needs: readonly Operation[]
}

export const SCREENS: readonly Screen[] = [
  { to: '/', title: 'nav.home', icon: House, needs: [] },
  { to: '/applications', title: 'nav.applications', icon: AppWindow, needs: ['listApplications'] },
  { to: '/users', title: 'nav.users', icon: Users, needs: ['listUsers'] },
  { to: '/organizations', title: 'nav.organizations', icon: Building2, needs: ['listOrganizations'] },
  { to: '/scim', title: 'nav.scim', icon: FolderSync, needs: ['listScimDirectories'] },
  { to: '/apis', title: 'nav.apis', icon: Blocks, needs: ['listResources'] },
  { to: '/roles', title: 'nav.roles', icon: UserRoundCheck, needs: ['listRoles'] },
  { to: '/explain', title: 'nav.explain', icon: ScanSearch, needs: ['simulateUserToken'] },
  { to: '/sign-in-experience', title: 'nav.signIn', icon: LogIn, needs: ['getSignInExperience'] },
  { to: '/connectors', title: 'nav.connectors', icon: Cable, needs: ['listConnectors', 'listSsoConnectors'] },
  { to: '/claims', title: 'nav.claims', icon: SquareCode, needs: ['listJwtCustomizers'] },
  { to: '/webhooks', title: 'nav.webhooks', icon: Webhook, needs: ['listHooks'] },
  { to: '/log', title: 'nav.log', icon: ScrollText, needs: ['listLogs'] },
  { to: '/health', title: 'nav.health', icon: HeartPulse, needs: ['getHealth'] },
  {
    to: '/settings',
    title: 'nav.administrators',
    icon: ShieldUser,
    needs: ['listAdministrators', 'listAdministratorRoles'],
  },
]
