/** Whether the server serves the console, and where. */
import { option } from '../kernel/configuration.ts'
import { parseConsolePlace } from '../kernel/console-place.ts'

export const consoleOptions = {
  console: option({
    env: 'CONSOLE',
    default: 'on',
    description:
      'Where the console is served: on (at /console of every tenant), off, or the address of an admin host such as https://admin.example.com, at which there is nothing but the console and the Management API; {tenant} in it stands for the id of the tenant, and without it only the default tenant has a console. Tokens of a console that is not served are refused.',
    parse: parseConsolePlace,
  }),
}
