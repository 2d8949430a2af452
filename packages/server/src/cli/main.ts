/** What `bin/countersign.js` loads: runs the command that the process was started with. */
import { runCommand } from './program.ts'

await runCommand(process.argv.slice(2))
