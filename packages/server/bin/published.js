#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=12288 MALLOC_TOP_PAD_=0 node --disable-warning=ExperimentalWarning --max-semi-space-size=4
// Where `countersign` begins in the published package, as countersign.js does in a clone: how Node is to run is settled before
// any of the program is loaded (docs/decisions/0017). Plain JavaScript that any Node from 14 on reads, for the sentence below.
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 13)) {
  // beside the packages, where no other account writes; an account that may not write there does without
  nodeModule.enableCompileCache(fileURLToPath(new URL('../.cache', import.meta.url)))
  await import('../dist/main.js')
} else {
  process.stderr.write(`Countersign needs Node 22.13 or later, and this is ${process.version}.\n`)
  process.exitCode = 1
}
