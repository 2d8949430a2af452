/** How an application looks on the pages: applied over its tenant's settings, and how it is set. */
import type { ApplicationSignInExperienceUpdate } from '@countersign/contract/application-sign-in-experience.ts'
import type { Static } from 'typebox'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation } from '../../storage/unit-of-work.ts'
import type { Client } from '../applications/clients.ts'
import { CONSOLE_ID } from '../applications/console.ts'
import { type ApplicationLook, NO_LOOK, soundCss, storedLook } from '../applications/look.ts'
import { applicationTag, lockApplication } from '../applications/rows.ts'
import { assertHolds } from '../permissions/management-access.ts'
import type { SignInSettings } from './experience.ts'
import type { OrganizationLook } from './organization-look.ts'
import { soundBranding, webAddress } from './settings.ts'

type Update = Static<typeof ApplicationSignInExperienceUpdate>

/** The update as it is stored: empty strings are null, addresses are valid. Throws 400. */
const normalized = ({ customCss, color, branding, displayName, ...links }: Update): Partial<ApplicationLook> => {
  return {
    ...(customCss === undefined ? {} : { customCss: soundCss(customCss) }),
    ...(color ? { color } : {}),
    ...(branding ? { branding: soundBranding(branding) } : {}),
    ...(displayName === undefined ? {} : { displayName: displayName?.trim() || null }),
    ...Object.fromEntries(Object.entries(links).map(([name, value]) => [name, webAddress(name, value)])),
  }
}

/** Sets the given fields; the others stay. Throws 404, and as above. */
export const setApplicationLook = operation(
  [],
  async (unit, id: string, update: Update): Promise<{ look: ApplicationLook; isNew: boolean }> => {
    const before = storedLook(await lockApplication(unit, id))
    await assertHolds(unit, 'applications', [id])
    const look = { ...NO_LOOK, ...before, ...normalized(update) }
    await unit.tx
      .updateTable('applications')
      .set({ sign_in_experience: JSON.stringify(look) })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .execute()
    unit.changed(applicationTag(id))
    return { look, isNew: before === undefined }
  },
)

/** The links below every page; a first-party application's own links take precedence. */
const linksOf = (settings: SignInSettings, { look = NO_LOOK, isThirdParty }: Pick<Client, 'look' | 'isThirdParty'>) => {
  const { termsOfUseUrl, privacyPolicyUrl } = settings
  if (isThirdParty) return { termsOfUseUrl, privacyPolicyUrl }
  return {
    termsOfUseUrl: look.termsOfUseUrl ?? termsOfUseUrl,
    privacyPolicyUrl: look.privacyPolicyUrl ?? privacyPolicyUrl,
  }
}

/** With these colours and logos, and the style sheet behind what there is: a logo takes the place of both logos that there were. */
const withLook = <S extends SignInSettings>(settings: S, { color, branding, customCss }: OrganizationLook): S => {
  const { logoUrl: _light, darkLogoUrl: _dark, ...icons } = settings.branding
  const others = branding.logoUrl || branding.darkLogoUrl ? icons : settings.branding
  const css = [settings.customCss, customCss].filter(Boolean).join('\n') || null
  return { ...settings, color: { ...settings.color, ...color }, branding: { ...others, ...branding }, customCss: css }
}

/**
 * The settings of the tenant, over them those of the application that a page is about, and over these the look of the organization that
 * the request names; no style sheet reaches the console (DECISIONS L26). What a third party says about itself is shown on the consent page and nowhere
 * else: the terms below a password form are those of the party that stores the password.
 */
export const overTenant = <S extends SignInSettings>(
  settings: S,
  application: Pick<Client, 'id' | 'look' | 'isThirdParty'> | undefined,
  organization?: OrganizationLook,
): S => {
  const { look } = application ?? {}
  const ofApplication: S =
    application && look
      ? {
          ...withLook(settings, application.isThirdParty ? { ...look, customCss: null } : look),
          ...linksOf(settings, application),
        }
      : settings
  const all = organization ? withLook(ofApplication, organization) : ofApplication
  return application?.id === CONSOLE_ID ? { ...all, customCss: null } : all
}
