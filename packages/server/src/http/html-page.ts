/**
 * The frame of every page that a person sees: one document, no third-party content but logos and that of a captcha provider or Google One
 * Tap, which the tenant chose, no other scripts than those of page-script.ts, no framing (SECURITY R-30). Colours and logo are the tenant's.
 */
import { hash } from 'node:crypto'
import { html, type SafeHtml } from '@remix-run/html-template'
import { inkOn, soundColor } from '../kernel/colors.ts'
import type { Answer } from './exchange.ts'
import { defaultMark, markAddress } from './page-mark.ts'
import { pageScript, scriptSources } from './page-script.ts'
import { styleSheet } from './style-sheet.ts'

const PAGE_STYLE = styleSheet(new URL('./page.css', import.meta.url))

export interface Appearance {
  readonly primaryColor: string
  readonly darkPrimaryColor: string
  readonly isDarkModeEnabled: boolean
  readonly logoUrl?: string | undefined
  readonly darkLogoUrl?: string | undefined
  readonly favicon?: string | undefined
  readonly darkFavicon?: string | undefined
  /** A style sheet of the tenant's, behind that of the page; without `</`. */
  readonly customCss?: string | null
}

/** What a page loads from elsewhere, as sources of its policy. */
export interface ThirdParty {
  readonly scripts: readonly string[]
  readonly frames: readonly string[]
  readonly connections: readonly string[]
  readonly styles?: readonly string[]
}

/** What two parts of a page load. */
export const bothParties = (a: ThirdParty | undefined, b: ThirdParty | undefined): ThirdParty | undefined =>
  a && b
    ? {
        scripts: [...a.scripts, ...b.scripts],
        frames: [...a.frames, ...b.frames],
        connections: [...a.connections, ...b.connections],
        styles: [...(a.styles ?? []), ...(b.styles ?? [])],
      }
    : (a ?? b)

export interface Page {
  readonly status?: number
  readonly title: string
  /** BCP 47. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly appearance: Appearance
  readonly body: SafeHtml
  /** Below the card. */
  readonly footer?: SafeHtml
  /** Set-Cookie values. */
  readonly cookies?: string[]
  /** Addresses that forms of the page may lead to besides this server: the application that gets the response. */
  readonly formTargets?: readonly string[]
  /** Addresses of pictures in the body, which may be elsewhere. */
  readonly images?: readonly string[]
  readonly thirdParty?: ThirdParty | undefined
}

const [LIGHT_ACCENT, DARK_ACCENT] = ['#2f4fd0', '#9db2ff']
/** The colour of the browser's own frame: that of the card, which on a phone is the whole page. */
const [LIGHT_THEME, DARK_THEME] = ['#ffffff', '#161a21']

const DARK =
  '--page:#0e1116;--card:#161a21;--ink:#edf0f5;--soft:#a5aebd;--line:#2a303b;--edge:#6d7686;--field:#10141a;--bad:#ffa198;--bad-page:#2d1b1d;--tint:#1d222b;--shadow:none'

interface Style {
  readonly text: string
  /** As the policy names it. */
  readonly source: string
}

const newStyle = (light: string, dark: string, isDarkModeEnabled: boolean, more: string): Style => {
  const scheme = isDarkModeEnabled
    ? `:root{color-scheme:light dark}@media(prefers-color-scheme:dark){:root{--accent:${dark};--on-accent:${inkOn(dark)};${DARK}}.logo-light{display:none}.logo-dark{display:inline}}`
    : ':root{color-scheme:light}'
  const text = `:root{--accent:${light};--on-accent:${inkOn(light)}}${PAGE_STYLE}${scheme}${more}`
  return { text, source: `'sha256-${hash('sha256', text, 'base64')}'` }
}

/** By colours and style sheets: most tenants keep theirs for years. */
const styles = new Map<string, Style>()
const MOST_STYLES = 50

const styleOf = ({ primaryColor, darkPrimaryColor, isDarkModeEnabled, customCss }: Appearance): Style => {
  const light = soundColor(primaryColor, LIGHT_ACCENT)
  const dark = soundColor(darkPrimaryColor, DARK_ACCENT)
  const more = customCss ?? ''
  const key = `${light} ${dark} ${isDarkModeEnabled} ${more}`
  const known = styles.get(key)
  if (known) return known
  if (styles.size >= MOST_STYLES) styles.clear()
  const style = newStyle(light, dark, isDarkModeEnabled, more)
  styles.set(key, style)
  return style
}

/** Above the title if the tenant has no logo, because a page that asks for a password should not be anonymous. */
const logo = ({ logoUrl, darkLogoUrl, isDarkModeEnabled }: Appearance): SafeHtml => {
  if (!logoUrl) return defaultMark
  if (!darkLogoUrl || !isDarkModeEnabled) return html`<p class="logo"><img src="${logoUrl}" alt="" height="40"></p>`
  return html`<p class="logo"><img class="logo-light" src="${logoUrl}" alt="" height="40"><img class="logo-dark" src="${darkLogoUrl}" alt="" height="40"></p>`
}

const markOf = (accent: string): string => markAddress(accent, inkOn(accent))

/** For tabs: the tenant's icons, or the server's mark in its colours. */
const icons = ({ favicon, darkFavicon, primaryColor, darkPrimaryColor, isDarkModeEnabled }: Appearance): SafeHtml => {
  const light = favicon ?? markOf(soundColor(primaryColor, LIGHT_ACCENT))
  const dark = darkFavicon ?? (favicon === undefined ? markOf(soundColor(darkPrimaryColor, DARK_ACCENT)) : undefined)
  if (dark === undefined || !isDarkModeEnabled) return html`<link rel="icon" href="${light}">`
  return html`<link rel="icon" href="${light}" media="(prefers-color-scheme: light)">
<link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)">`
}

const themeColors = ({ isDarkModeEnabled }: Appearance): SafeHtml =>
  isDarkModeEnabled
    ? html`<meta name="theme-color" content="${LIGHT_THEME}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${DARK_THEME}" media="(prefers-color-scheme: dark)">`
    : html`<meta name="theme-color" content="${LIGHT_THEME}">`

const parsed = (addresses: readonly (string | undefined)[]): URL[] =>
  addresses.flatMap((address) => (address && URL.canParse(address) ? [new URL(address)] : []))

const sources = (names: readonly string[]): string => [...new Set(names)].map((name) => ` ${name}`).join('')

/** Renders a page with its headers. */
export const htmlPage = ({
  status = 200,
  title,
  language,
  direction,
  appearance,
  body,
  footer,
  cookies,
  formTargets = [],
  images = [],
  thirdParty,
}: Page): Answer => {
  const style = styleOf(appearance)
  const { logoUrl, darkLogoUrl, favicon, darkFavicon } = appearance
  const content = String(html`<main>
${logo(appearance)}
${body}
</main>
${String(body).includes('<form ') ? pageScript('SEND_ONCE') : ''}
${footer ? html`<footer>${footer}</footer>` : ''}`)
  const document = String(html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${themeColors(appearance)}
${icons(appearance)}
<style>${html.raw`${style.text}`}</style>
</head>
<body>
${html.raw`${content}`}
</body>
</html>`)
  const scripts = scriptSources(content)
  const policy = [
    "default-src 'none'",
    `style-src ${style.source}${sources(thirdParty?.styles ?? [])}`,
    `img-src 'self' data:${sources(parsed([logoUrl, darkLogoUrl, favicon, darkFavicon, ...images]).flatMap(({ origin }) => (origin === 'null' ? [] : [origin])))}`,
    ...(scripts || thirdParty ? [`script-src${scripts}${sources(thirdParty?.scripts ?? [])}`] : []),
    ...(thirdParty ? [`frame-src${sources(thirdParty.frames)}`, `connect-src${sources(thirdParty.connections)}`] : []),
    // Only the scheme: browsers apply this to every redirect after a form, including those from the
    // application's redirect URI to an origin that is not known here
    `form-action 'self'${sources(parsed(formTargets).map(({ protocol }) => protocol))}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      // a provider compares the site that its key is for
      'referrer-policy': thirdParty ? 'strict-origin' : 'no-referrer',
      'cache-control': 'no-store',
      ...(cookies ? { 'set-cookie': cookies } : {}),
    },
    body: document,
  }
}
