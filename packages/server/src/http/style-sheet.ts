/** Style sheets of pages: `.css` files, read when their module is loaded and inlined into the page (SECURITY R-30). */
import { readFileSync } from 'node:fs'

/**
 * The text of a style sheet without comments and layout whitespace. @param file
 * next to a module, as `new URL('./page.css', import.meta.url)`
 */
export const styleSheet = (file: URL): string =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .trim()
