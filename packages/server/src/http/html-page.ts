/**
 * The frame of every page that a person sees: one document, no third-party content, no script unless the page brings one,
 * framed by nobody (SECURITY R-30). Colours and logo are the tenant's.
 */
import { hash } from 'node:crypto'
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Answer } from './exchange.ts'
import { PAGE_STYLE } from './page-style.ts'

export interface Appearance {
  readonly primaryColor: string
  readonly darkPrimaryColor: string
  readonly isDarkModeEnabled: boolean
  readonly logoUrl?: string | undefined
  readonly darkLogoUrl?: string | undefined
}

export interface Page {
  readonly status?: number
  readonly title: string
  /** BCP 47. */
  readonly language: string
  readonly appearance: Appearance
  readonly body: SafeHtml
  /** Set-Cookie values. */
  readonly cookies?: string[]
  /** Where forms of the page may lead beside this server: the origin of the application that gets the answer. */
  readonly formTargets?: readonly string[]
}

const COLOR = /^#[0-9a-f]{3}(?:[0-9a-f]{3})?$/i
const color = (value: string, fallback: string): string => (COLOR.test(value) ? value : fallback)

/** Black or white, whichever is easier to read on the colour (WCAG 2.2 relative luminance). */
const inkOn = (background: string): string => {
  const digits =
    background.length === 4 ? [...background.slice(1)].map((digit) => digit + digit).join('') : background.slice(1)
  const channels = [0, 2, 4].map((at) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#0b0d12' : '#ffffff'
}

const styleOf = ({ primaryColor, darkPrimaryColor, isDarkModeEnabled }: Appearance): string => {
  const light = color(primaryColor, '#2f4fd0')
  const dark = color(darkPrimaryColor, '#9db2ff')
  const scheme = isDarkModeEnabled
    ? `:root{color-scheme:light dark}@media(prefers-color-scheme:dark){:root{--accent:${dark};--on-accent:${inkOn(dark)};--page:#0f1218;--card:#171b23;--ink:#eceff5;--soft:#a3acbd;--line:#2d3442;--field:#11151c;--bad:#ff9c93;--bad-page:#2c1a1c}.logo-light{display:none}.logo-dark{display:inline}}`
    : ':root{color-scheme:light}'
  return `:root{--accent:${light};--on-accent:${inkOn(light)}}${PAGE_STYLE}${scheme}`
}

const logo = ({ logoUrl, darkLogoUrl }: Appearance): SafeHtml => {
  if (!logoUrl) return html``
  const dark = darkLogoUrl ?? logoUrl
  return html`<p class="logo"><img class="logo-light" src="${logoUrl}" alt="" height="40"><img class="logo-dark" src="${dark}" alt="" height="40"></p>`
}

const origins = (urls: readonly (string | undefined)[]): string =>
  [...new Set(urls.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : [])))]
    .map((origin) => ` ${origin}`)
    .join('')

/** Renders a page with the headers that belong to it. */
export const htmlPage = ({
  status = 200,
  title,
  language,
  appearance,
  body,
  cookies,
  formTargets = [],
}: Page): Answer => {
  const style = styleOf(appearance)
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${html.raw`${style}`}</style>
</head>
<body>
<main>
${logo(appearance)}
${body}
</main>
</body>
</html>`
  const images = origins([appearance.logoUrl, appearance.darkLogoUrl])
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    `img-src 'self' data:${images}`,
    `form-action 'self'${origins(formTargets)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      ...(cookies ? { 'set-cookie': cookies } : {}),
    },
    body: String(document),
  }
}
