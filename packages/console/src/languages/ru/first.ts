/** What the frame and the first screen say, in Russian: loaded before the rest. */
import { acting } from './acting.ts'
import { home } from './home.ts'
import { log } from './log.ts'
import { operations } from './operations.ts'
import { shell } from './shell.ts'

export const first = { ...acting, ...home, ...log, ...operations, ...shell }
