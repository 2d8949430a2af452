/** Korean. */
import type { Catalogue } from '../en/catalogue.ts'
import { accounts } from './accounts.ts'
import { acting } from './acting.ts'
import { administrators } from './administrators.ts'
import { apis } from './apis.ts'
import { applicationRules } from './application-rules.ts'
import { applicationSettings } from './application-settings.ts'
import { applications } from './applications.ts'
import { claims } from './claims.ts'
import { connectors } from './connectors.ts'
import { explain } from './explain.ts'
import { findings } from './findings.ts'
import { health } from './health.ts'
import { home } from './home.ts'
import { userImport } from './import.ts'
import { log } from './log.ts'
import { messages } from './messages.ts'
import { operations } from './operations.ts'
import { organizations } from './organizations.ts'
import { profileFields } from './profile-fields.ts'
import { reasons } from './reasons.ts'
import { registration } from './registration.ts'
import { roles } from './roles.ts'
import { saml } from './saml.ts'
import { scim } from './scim.ts'
import { services } from './services.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { signInSettings } from './sign-in-settings.ts'
import { tryIt } from './try.ts'
import { user } from './user.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

export const catalogue: Catalogue = {
  ...accounts,
  ...acting,
  ...administrators,
  ...apis,
  ...applicationRules,
  ...applicationSettings,
  ...applications,
  ...claims,
  ...connectors,
  ...explain,
  ...findings,
  ...health,
  ...home,
  ...userImport,
  ...log,
  ...messages,
  ...operations,
  ...organizations,
  ...profileFields,
  ...reasons,
  ...registration,
  ...roles,
  ...saml,
  ...scim,
  ...services,
  ...shell,
  ...signInSettings,
  ...signIn,
  ...tryIt,
  ...user,
  ...users,
  ...webhooks,
}
