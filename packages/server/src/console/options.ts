/** Whether the server serves the console. */
import { oneOf, option } from '../kernel/configuration.ts'

export const consoleOptions = {
  console: option({
    env: 'CONSOLE',
    default: 'on',
    description:
      'Whether the console is served at /console of every tenant: on or off. With off the Management API refuses tokens of the console, too.',
    parse: oneOf(['on', 'off']),
  }),
}
