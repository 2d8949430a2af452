/**
 * What the browser fetches, and when: the code of the frame beside the module that asks for it, in one file; the files of the screens, by
 * a list of their names, when there is nothing else to do.
 */
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'

const MAIN = '/console/src/main.tsx'
const START = '/console/src/start.ts'
/** They are fetched by language. */
const PHRASES = /\/console\/src\/languages\/..\//

/** The chunks with everything that they import at once. */
const chunksWithImports = (bundle: Rolldown.OutputBundle, names: readonly string[]): ReadonlySet<string> => {
  const found = new Set(names)
  for (const name of found) {
    const chunk = bundle[name]
    for (const each of chunk?.type === 'chunk' ? chunk.imports : []) found.add(each)
  }
  return found
}

const chunksOf = (bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] =>
  Object.values(bundle).filter((each) => each.type === 'chunk')

/** The chunks that hold this module. */
const holding = (bundle: Rolldown.OutputBundle, end: string): string[] =>
  chunksOf(bundle)
    .filter(({ moduleIds, facadeModuleId }) => [...moduleIds, facadeModuleId].some((id) => id?.endsWith(end)))
    .map(({ fileName }) => fileName)

/** The Vite plugin. */
export const firstFiles = (): Plugin => ({
  name: 'first-files',
  apply: 'build',
  // after Vite has taken out the entry that only names others
  enforce: 'post',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }): HtmlTagDescriptor[] =>
      [...chunksWithImports(bundle, holding(bundle, MAIN))]
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${file}` },
          injectTo: 'head',
        })),
  },
  generateBundle(_options, bundle) {
    const first = chunksWithImports(bundle, [...holding(bundle, START), ...holding(bundle, MAIN)])
    const screens = chunksOf(bundle)
      .filter(({ fileName, moduleIds }) => !first.has(fileName) && !moduleIds.some((id) => PHRASES.test(id)))
      .map(({ fileName }) => fileName)
    this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(screens) })
  },
})
