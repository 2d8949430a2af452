#!/usr/bin/env node
/** The command line: `countersign`. One file per command; each talks to server.ts only. */
import { Command } from 'commander'
import { startCommand } from './commands/start.ts'
import { fail } from './report.ts'

const program = new Command('countersign')
  .description('A self-hosted OAuth 2.0 / OpenID Connect authorization server.')
  .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
  .addCommand(startCommand())

try {
  await program.parseAsync()
} catch (error) {
  fail(error)
}
