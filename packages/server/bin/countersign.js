#!/usr/bin/env -S MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=12288 MALLOC_TOP_PAD_=0 node --max-semi-space-size=4
// Where `countersign` begins: settles how Node is to run before any of the program is loaded, then loads it.
//
// Plain JavaScript, so that a start that finds the compile cache filled never loads Node's TypeScript stripper. The cache
// lies beside the packages, where nobody else writes. One malloc arena that gives large blocks back at once, and a young
// generation of at most 4 MB, keep 80 MB from being held for nothing (docs/decisions/0017).
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/countersign', import.meta.url)))
await import('../src/cli/main.ts')
