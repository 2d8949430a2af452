/** The sign-in settings of a tenant (DECISIONS L1): what may be signed in with, how it looks, what protects it. */
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'

export interface SignInExperience {
  readonly signInMode: 'SignIn' | 'Register' | 'SignInAndRegister'
  readonly color: {
    readonly primaryColor: string
    readonly isDarkModeEnabled: boolean
    readonly darkPrimaryColor: string
  }
  readonly branding: { readonly logoUrl?: string; readonly darkLogoUrl?: string; readonly favicon?: string }
  readonly languageInfo: { readonly autoDetect: boolean; readonly fallbackLanguage: string }
  readonly termsOfUseUrl: string | null
  readonly privacyPolicyUrl: string | null
  readonly signIn: {
    readonly methods: readonly { readonly identifier: 'username' | 'email' | 'phone'; readonly password: boolean }[]
  }
  readonly signUp: {
    readonly identifiers: readonly ('username' | 'email' | 'phone')[]
    readonly password: boolean
    readonly verify: boolean
  }
  /** lockoutDuration in minutes. */
  readonly sentinelPolicy: { readonly maxAttempts: number; readonly lockoutDuration: number }
}

export const DEFAULT_EXPERIENCE: SignInExperience = {
  signInMode: 'SignInAndRegister',
  color: { primaryColor: '#2f4fd0', isDarkModeEnabled: true, darkPrimaryColor: '#9db2ff' },
  branding: {},
  languageInfo: { autoDetect: true, fallbackLanguage: 'en' },
  termsOfUseUrl: null,
  privacyPolicyUrl: null,
  signIn: { methods: [{ identifier: 'username', password: true }] },
  signUp: { identifiers: ['username'], password: true, verify: false },
  sentinelPolicy: { maxAttempts: 10, lockoutDuration: 15 },
}

export const EXPERIENCE_TAG = 'sign-in-experience'

/** The settings of a tenant over the defaults, from the cache. */
export const signInExperience = (store: Store, { id: tenantId }: Tenant): Promise<SignInExperience> =>
  store.cache.get(tenantId, EXPERIENCE_TAG, async () => {
    const row = await store.database.configuration
      .selectFrom('sign_in_experiences')
      .select('settings')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst()
    return { value: { ...DEFAULT_EXPERIENCE, ...row?.settings }, tags: [EXPERIENCE_TAG] }
  })
