/** Style sheets of pages: `.css` files of ours, read when their module is loaded and served within the page (SECURITY R-30). */
import { readFileSync } from 'node:fs'

/**
 * The text of a style sheet without its comments and the spaces of its layout.
 * @param file beside a module, as `new URL('./page.css', import.meta.url)`
 */
export const styleSheet = (file: URL): string =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .trim()
