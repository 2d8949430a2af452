/** Colours that a tenant chose, on pages and in mail. */

const COLOR = /^#[0-9a-f]{3}(?:[0-9a-f]{3})?$/i

/** The colour if it has the form `#rgb` or `#rrggbb`, which cannot break out of a style; otherwise the fallback. */
export const soundColor = (value: string, fallback: string): string => (COLOR.test(value) ? value : fallback)

/** Black or white, whichever is easier to read on the colour (WCAG 2.2 relative luminance). */
export const inkOn = (background: string): string => {
  const digits =
    background.length === 4 ? [...background.slice(1)].map((digit) => digit + digit).join('') : background.slice(1)
  const channels = [0, 2, 4].map((at) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}
