/** How an application looks on pages, where it differs from the tenant (`/applications/:applicationId/sign-in-experience`). */
import { ApiError } from '../../kernel/api-error.ts'
import type { ApplicationRow } from './rows.ts'

export interface ApplicationLook {
  readonly color: {
    readonly primaryColor?: string
    readonly isDarkModeEnabled?: boolean
    readonly darkPrimaryColor?: string
  }
  readonly branding: {
    readonly logoUrl?: string
    readonly darkLogoUrl?: string
    readonly favicon?: string
    readonly darkFavicon?: string
  }
  /** A style sheet, in which there is no `</`. */
  readonly customCss: string | null
  readonly displayName: string | null
  readonly termsOfUseUrl: string | null
  readonly privacyPolicyUrl: string | null
}

/** As it is stored; undefined where nothing was set. */
export const storedLook = (row: Pick<ApplicationRow, 'sign_in_experience'>): ApplicationLook | undefined =>
  row.sign_in_experience === null ? undefined : { ...NO_LOOK, ...row.sign_in_experience }

/** For an application that looks like the tenant. */
export const NO_LOOK: ApplicationLook = {
  color: {},
  branding: {},
  customCss: null,
  displayName: null,
  termsOfUseUrl: null,
  privacyPolicyUrl: null,
}

/** Whether a style sheet ends where its element ends (SECURITY R-30). */
export const isSoundCss = (css: string): boolean => !css.includes('</')

/** A style sheet of an operator as it is stored; an empty one is none. Throws 400. */
export const soundCss = (css: string | null): string | null => {
  if (css !== null && !isSoundCss(css))
    throw new ApiError('guard.invalid_input', {
      reason: 'customCss must not contain "</"',
      issues: [{ path: '/customCss', reason: 'must not contain "</"', code: 'css_tag' }],
    })
  return css || null
}

interface Shown {
  readonly name: string
  readonly look: ApplicationLook | undefined
}

/** What pages call the application. */
export const shownName = ({ name, look }: Shown): string => look?.displayName || name
