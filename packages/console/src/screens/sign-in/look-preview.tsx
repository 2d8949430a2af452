/** The pages with the colours and logos of one application or organization over those of the tenant, before they are saved. */
import { useAnswer } from '../../api/client.ts'
import { LANGUAGES } from '../../languages/languages.ts'
import { isColor } from '../../parts/color-field.tsx'
import type { Branding, Colors } from '../../parts/look-fields.tsx'
import { Preview } from './preview.tsx'
import type { Change } from './settings.ts'

interface LookPreviewProps {
  readonly color: Colors
  readonly branding: Branding
  /** Of the application; undefined: it is the look of an organization. */
  readonly applicationName?: string
  /** Behind that of the tenant. */
  readonly css: string
  /** In place of the tenant's, where they are not empty. */
  readonly links?: { readonly termsOfUseUrl?: string; readonly privacyPolicyUrl?: string }
}

export const LookPreview = ({ color, branding, applicationName, css, links = {} }: LookPreviewProps) => {
  const { data: tenant } = useAnswer('getSignInExperience', {})
  if (!tenant) return null
  const { logoUrl: _light, darkLogoUrl: _dark, ...icons } = tenant.branding
  // a logo takes the place of both logos of the tenant
  const others = branding.logoUrl || branding.darkLogoUrl ? icons : tenant.branding
  // half a colour is not shown
  const whole = Object.fromEntries(
    Object.entries(color).filter(([, value]) => value === true || value === false || isColor(value)),
  )
  const change = {
    color: { ...tenant.color, ...whole },
    branding: { ...others, ...branding },
    ...(css.trim() === '' ? {} : { customCss: `${tenant.customCss ?? ''}\n${css}` }),
    ...Object.fromEntries(Object.entries(links).filter(([, link]) => link)),
  } as Change
  return (
    <Preview
      change={change}
      isOfOne
      applicationName={applicationName}
      languages={Object.entries(LANGUAGES)}
      language={tenant.languageInfo.fallbackLanguage in LANGUAGES ? tenant.languageInfo.fallbackLanguage : 'en'}
    />
  )
}
