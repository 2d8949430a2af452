// Compiles the package in the current directory into dist, ready for `npm publish ./dist`: Node does not strip types in
// node_modules. The manifest there is package.json with the exports of the compiled files, because npm cannot replace exports
// while publishing.

import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

rmSync('dist', { recursive: true, force: true })
const compiler = join(import.meta.dirname, '..', 'node_modules', '.bin', 'tsc')
execFileSync(compiler, ['-p', 'tsconfig.build.json'], { stdio: 'inherit' })

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const compiled = Object.entries<string>(manifest.exports).map(([subpath, source]) => {
  const file = source.replace('./src/', './').replace(/\.ts$/, '')
  return [subpath, { types: `${file}.d.ts`, default: `${file}.js` }]
})
const { '//': _note, private: _private, scripts: _scripts, devDependencies: _dev, publishConfig, ...rest } = manifest
const published = { ...rest, exports: Object.fromEntries(compiled), publishConfig: { access: publishConfig.access } }
writeFileSync('dist/package.json', `${JSON.stringify(published, null, 2)}\n`)
cpSync('README.md', 'dist/README.md')
