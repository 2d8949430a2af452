/**
 * What is only data in the console's code, as text that the browser reads with JSON.parse: it does so several times faster than it reads
 * the same as code, which it parses twice and then runs. Phrases are most of it.
 */
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/** The name under which each file gives its phrases. */
const PHRASES = /\/console\/src\/languages\/..\/(first|catalogue|errors|issues)\.ts$/

/** An expression that gives this value. It must be what JSON can say. */
export const parsed = (value: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`

/** The Vite plugin. In development phrases are code, as they are written. */
export const dataFiles = (): Plugin => ({
  name: 'data-files',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: PHRASES },
    handler: async (id) => {
      const name = PHRASES.exec(id)?.[1] ?? ''
      const module = (await import(pathToFileURL(id).href)) as Readonly<Record<string, unknown>>
      return `export const ${name} = ${parsed(module[name])}`
    },
  },
})
