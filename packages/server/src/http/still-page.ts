/** A page as a picture of itself: its text without scripts and without a field that takes the focus, and apart from it the style, which a strict policy would not apply inline. */
import type { Answer } from './exchange.ts'

/** @returns undefined for an answer that is no page */
export const stillPage = ({ body }: Answer): { readonly html: string; readonly css: string } | undefined => {
  if (typeof body !== 'string') return undefined
  const css = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''
  const html = body
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<script\b[^>]*>.*?<\/script>/gs, '')
    .replace(/(<input\b[^>]*?)\sautofocus\b/g, '$1')
  return { html, css }
}
