/** A mail as its reader sees it, in a frame that can do nothing: no scripts, no links, no pictures from elsewhere. */
import { useEffect, useRef } from 'react'
import { t } from '../../languages/languages.ts'

/** The policy of the console admits no inline style: it is taken out of the text here, and applied from here when the frame is loaded. */
const taken = (html: string): { readonly text: string; readonly css: string } => ({
  text: html
    .replace(/<style\b[^>]*>.*?<\/style>/gis, '')
    .replace(/<script\b[^>]*>.*?<\/script>/gis, '')
    .replace(/(<[a-z][^>]*?)\sstyle=/gi, '$1 data-style='),
  css: [...html.matchAll(/<style\b[^>]*>(.*?)<\/style>/gis)].map(([, css = '']) => css).join('\n'),
})

const apply = (frame: HTMLIFrameElement, css: string): void => {
  const { contentDocument: page, contentWindow } = frame
  if (!page?.documentElement || !contentWindow) return
  const sheet = new (contentWindow as Window & typeof globalThis).CSSStyleSheet()
  sheet.replaceSync(css)
  page.adoptedStyleSheets = [sheet]
  page.documentElement.style.colorScheme = 'light'
  page.documentElement.style.background = 'white'
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset.style ?? ''
}

export const MailFrame = ({ html }: { readonly html: string }) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const { text, css } = taken(html)
  useEffect(() => {
    if (frame.current) apply(frame.current, css)
  }, [css])
  return (
    <iframe
      ref={frame}
      title={t('messages.preview')}
      sandbox="allow-same-origin"
      srcDoc={text}
      inert
      tabIndex={-1}
      onLoad={() => frame.current && apply(frame.current, css)}
      className="h-96 w-full rounded-xl border border-line bg-on-accent"
    />
  )
}
