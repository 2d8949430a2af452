/**
 * The console of a script. This is JavaScript for the sandbox's engine: it runs before the first script. It keeps
 * references to the functions it needs, so that a script that replaces built-ins harms only itself. It is not part of
 * the security boundary: the server trusts nothing that comes out of here.
 */

/** Characters of a line. */
const LONGEST_TEXT = 2048

/** An expression: takes `tell(level, text)`, the output function, and returns the console. */
export const CONSOLE = `((tell) => {
  'use strict'
  const { stringify } = JSON, text = String, { Error } = globalThis
  const slice = Function.prototype.call.bind(''.slice)
  const shown = (value) => {
    try {
      if (typeof value === 'object' && value !== null && !(value instanceof Error)) return text(stringify(value))
      return text(value)
    } catch {
      return '?'
    }
  }
  const line = (level) => (...values) => {
    let all = ''
    for (let i = 0; i < values.length && all.length < ${LONGEST_TEXT}; i += 1)
      all += (i === 0 ? '' : ' ') + slice(shown(values[i]), 0, ${LONGEST_TEXT})
    tell(level, slice(all, 0, ${LONGEST_TEXT}))
  }
  return { log: line('info'), info: line('info'), debug: line('info'), warn: line('warn'), error: line('error') }
})`
