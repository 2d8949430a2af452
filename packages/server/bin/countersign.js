#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=12288 MALLOC_TOP_PAD_=0 node --max-semi-space-size=4
// Where `countersign` begins: settles how Node is to run before any of the program is loaded, then loads it.
//
// Plain JavaScript that any Node from 18 on reads, so that a start that finds the compile cache filled never loads Node's
// TypeScript stripper. The cache lies beside the packages, where no other account writes. One malloc arena that gives large
// blocks back at once, and a young generation of at most 4 MB, keep 80 MB from being held for nothing (docs/decisions/0017).
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { useBundles } from './libraries.js'

const besidePackages = (path) => fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url))

/** Runs the same command with the Node that came with the packages, and ends as it ends. */
const runWith = (node) => {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // a terminal sends its signals to the whole group; only what was sent to this process alone is passed on
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

if (process.features.typescript) {
  nodeModule.enableCompileCache(besidePackages('.cache/countersign'))
  useBundles()
  await import('../src/cli/main.ts')
} else {
  const own = besidePackages('node/bin/node')
  if (existsSync(own) && process.execPath !== own) runWith(own)
  else {
    process.stderr.write(
      `Countersign needs Node 22.18 or later, and this is ${process.version}. "npm install" brings one along.\n`,
    )
    process.exitCode = 1
  }
}
