/** What the guides say of the console is on its screens. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { catalogue } from '../src/languages/en/catalogue.ts'

const FOLDER = new URL('../../../docs/guides/', import.meta.url)
/** Guides of the console itself, and of what is not done in one. */
const WITHOUT = ['console.md', 'operations.md']
const guides = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && !WITHOUT.includes(name))
const labels: ReadonlySet<string> = new Set(Object.values(catalogue))

/** The paragraphs on the console. */
const passages = (guide: string) =>
  readFileSync(new URL(guide, FOLDER), 'utf8')
    .split('\n\n')
    .filter((paragraph) => paragraph.trimStart().startsWith('In the console: '))

test.each(guides)('%s shows the way through the console, by labels that are there', (guide) => {
  const quoted = passages(guide).flatMap((passage) =>
    [...passage.replaceAll('\n', ' ').matchAll(/\*\*(.+?)\*\*/g)].map(([, label = '']) => label),
  )
  expect(quoted.length).toBeGreaterThan(0)
  expect(quoted.filter((label) => !labels.has(label))).toEqual([])
})
