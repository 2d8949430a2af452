/** The mark of the server, for pages and tabs of tenants without a logo. */
import { html } from '@remix-run/html-template'

const SHAPES = {
  ring: 'M22.2 11.1A8 8 0 1 0 22.2 20.9',
  check: 'M12.6 16.2l3 3 7.6-7.8',
}

/** In the colours of the page. It adds nothing to the title, so screen readers skip it. */
export const defaultMark = html`<p class="logo"><svg class="mark" viewBox="0 0 32 32" width="40" height="40" fill="none" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect width="32" height="32" rx="9"/><path d="${SHAPES.ring}"/><path d="${SHAPES.check}"/></svg></p>`

/** As a `data:` address. @param ground and @param ink colours, as `#rrggbb` */
export const markAddress = (ground: string, ink: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="${ink}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><rect width="32" height="32" rx="9" fill="${ground}" stroke="none"/><path d="${SHAPES.ring}"/><path d="${SHAPES.check}"/></svg>`,
  )}`
