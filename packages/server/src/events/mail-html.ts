/**
 * The layout of the server's mail: one column in tables and inline styles, which every mail program supports, in the tenant's
 * colours, with a dark variant. It contains placeholders, which are filled in later.
 */
import type { SignInSettings } from '../domain/sign-in/experience.ts'
import { inkOn, soundColor } from '../kernel/colors.ts'
import { escapeHtml } from './placeholders.ts'

export type MailLook = Pick<SignInSettings, 'color' | 'branding'>

export interface MailContent {
  /** BCP 47. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly lead: string
  /** Whether the placeholder of when and where from follows. */
  readonly hasDetails?: boolean
  readonly code?: { readonly note: string }
  readonly link?: { readonly action: string; readonly fallback: string; readonly note: string | undefined }
  readonly unasked: string
}

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace"
const [INK, QUIET, LINE, PAPER, DESK] = ['#1c1f26', '#596070', '#e3e5ea', '#ffffff', '#f3f4f6']

const [LIGHT_ACCENT, DARK_ACCENT] = ['#2f4fd0', '#9db2ff']

const darkStyle = (accent: string): string => `
@media (prefers-color-scheme: dark) {
  .desk { background: #111318 !important }
  .paper { background: #1b1e25 !important; border-color: #2d323c !important }
  .ink { color: #e8eaf0 !important }
  .quiet { color: #a6acb9 !important }
  .code { background: #262a33 !important; color: #ffffff !important }
  .button { background: ${accent} !important }
  .button a { color: ${inkOn(accent)} !important }
  .light { display: none !important }
  .dark { display: inline-block !important }
}`

const logo = (url: string, name: string, style = ''): string =>
  `<img class="${name}" src="${escapeHtml(url)}" alt="{{host}}" height="32" style="height:32px;max-width:200px;border:0;${style}">`

const header = ({ color: { isDarkModeEnabled }, branding: { logoUrl, darkLogoUrl } }: MailLook): string => {
  if (!logoUrl) return `<span class="ink" style="font:600 17px/32px ${FONT};color:${INK}">{{host}}</span>`
  if (!isDarkModeEnabled || !darkLogoUrl) return logo(logoUrl, 'logo')
  return logo(logoUrl, 'light') + logo(darkLogoUrl, 'dark', 'display:none')
}

const paragraph = (text: string, kind: 'ink' | 'quiet', more = ''): string =>
  `<p class="${kind}" style="margin:0;color:${kind === 'ink' ? INK : QUIET};${more}">${text}</p>`

const codeBlock = ({ note }: NonNullable<MailContent['code']>): string => `
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0 16px"><tr>
<td class="code" dir="ltr" style="padding:14px 24px;border-radius:8px;background:#f0f1f4;color:${INK};font:600 32px/40px ${MONO};letter-spacing:6px;-webkit-user-select:all;user-select:all"><b>{{code}}</b></td>
</tr></table>
${paragraph(note, 'ink')}`

const linkBlock = ({ action, fallback, note }: NonNullable<MailContent['link']>, accent: string): string => `
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0 20px"><tr>
<td class="button" bgcolor="${accent}" style="border-radius:8px;background:${accent}"><a href="{{link}}" style="display:inline-block;padding:12px 28px;color:${inkOn(accent)};font:600 16px/24px ${FONT};text-decoration:none">${action}</a></td>
</tr></table>
${note === undefined ? '' : paragraph(note, 'ink', 'padding-bottom:16px')}
${paragraph(`${fallback}<br><a class="quiet" href="{{link}}" dir="ltr" style="color:${QUIET};word-break:break-all">{{link}}</a>`, 'quiet', 'font-size:14px;line-height:22px')}`

/** An HTML document with placeholders. The texts are inserted as they are: the server's sentences contain no markup. */
export const mailHtml = (
  look: MailLook,
  { language, direction, lead, hasDetails, code, link, unasked }: MailContent,
): string => {
  const { isDarkModeEnabled } = look.color
  const accent = soundColor(look.color.primaryColor, LIGHT_ACCENT)
  const dark = soundColor(look.color.darkPrimaryColor, DARK_ACCENT)
  const scheme = isDarkModeEnabled ? 'light dark' : 'light'
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="${scheme}">
<meta name="supported-color-schemes" content="${scheme}">
<style>
a { text-underline-offset: 2px }${isDarkModeEnabled ? darkStyle(dark) : ''}
</style>
</head>
<body class="desk" style="margin:0;padding:0;background:${DESK}">
<table role="presentation" class="desk" width="100%" cellpadding="0" cellspacing="0" style="background:${DESK}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td style="padding:0 4px 16px">${header(look)}</td></tr>
<tr><td class="paper ink" style="padding:32px;border:1px solid ${LINE};border-radius:12px;background:${PAPER};color:${INK};font:16px/26px ${FONT}">
${paragraph(lead, 'ink')}${hasDetails ? paragraph('<span dir="ltr">{{details}}</span>', 'quiet', 'padding-top:8px;font-size:14px') : ''}${code ? codeBlock(code) : ''}${link ? linkBlock(link, accent) : ''}
</td></tr>
<tr><td style="padding:20px 4px 0;font:14px/22px ${FONT}">
${paragraph(unasked, 'quiet')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}
