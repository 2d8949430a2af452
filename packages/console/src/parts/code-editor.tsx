/**
 * An editor for code: CodeMirror in a shadow root, where its styles are style sheets that a script adopts, which the content
 * security policy admits, and not style elements. Tab leaves it, as it leaves every field.
 */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--color-accent)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--color-good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-warn)' },
  { tag: tags.comment, color: 'var(--color-soft)' },
  { tag: tags.invalid, color: 'var(--color-bad)' },
])

const look = EditorView.theme({
  '&': { color: 'var(--color-ink)', backgroundColor: 'var(--color-surface)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: '2px solid var(--color-accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6', maxHeight: '32rem' },
  '.cm-content, .cm-gutter': { minHeight: '20rem' },
  '.cm-content': { caretColor: 'var(--color-ink)', padding: '0.75rem 0' },
  '.cm-gutters': { backgroundColor: 'var(--color-sunken)', color: 'var(--color-soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--color-sunken)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--color-accent-tint)' },
  '.cm-tooltip': { backgroundColor: 'var(--color-raised)', border: '1px solid var(--color-line)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--color-accent-tint)',
    color: 'var(--color-ink)',
  },
})

/** Enough of CSS to tell what is what: comments, strings, names of properties, numbers and colors. */
const css = StreamLanguage.define<{ isInComment: boolean }>({
  name: 'css',
  startState: () => ({ isInComment: false }),
  token(stream, state) {
    if (state.isInComment || stream.match('/*')) {
      state.isInComment = !stream.match(/^.*?\*\//)
      if (state.isInComment) stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^(['"]).*?\1/)) return 'string'
    if (stream.match(/^@[\w-]+/) || stream.match(/^-{0,2}[a-z][\w-]*(?=\s*:\s)/i)) return 'keyword'
    if (stream.match(/^#[\da-f]{3,8}\b/i) || stream.match(/^[\d.]+(%|[a-z]+)?/i)) return 'number'
    if (!stream.match(/^[\w-]+/)) stream.next()
    return null
  },
})

/** The members of what stands before the last dot, as they are in a sample of the data. */
const membersOf = (sample: unknown, path: readonly string[]): readonly string[] => {
  let value = sample
  for (const name of path) value = typeof value === 'object' && value !== null ? (value as never)[name] : undefined
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
}

const completed = (sample: unknown, context: CompletionContext): CompletionResult | null => {
  const before = context.matchBefore(/[\w.]+/)
  if (!before) return null
  const path = before.text.split('.')
  const members = membersOf(sample, path.slice(0, -1))
  return members.length === 0
    ? null
    : {
        from: before.to - (path.at(-1)?.length ?? 0),
        options: members.map((label) => ({ label, type: 'property' })),
        validFor: /^\w*$/,
      }
}

interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Completion offers its members. */
  readonly sample?: unknown
  /** What is highlighted; JavaScript by default. */
  readonly language?: 'javascript' | 'css'
  readonly isReadOnly: boolean
}

export const CodeEditor = ({
  label,
  value,
  onChange,
  sample,
  language = 'javascript',
  isReadOnly,
}: CodeEditorProps) => {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ onChange, sample, value })
  latest.current = { onChange, sample, value }

  useEffect(() => {
    if (!place.current) return
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' })
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          language === 'css' ? css : javascript(),
          syntaxHighlighting(colours),
          autocompletion({ override: [(context) => completed(latest.current.sample, context)] }),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            const text = state.doc.toString()
            // at once: what is typed reaches the form before the next click
            if (docChanged && text !== latest.current.value) flushSync(() => latest.current.onChange(text))
          }),
          EditorState.readOnly.of(isReadOnly),
          look,
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, language, isReadOnly])

  // what is discarded, or changed elsewhere
  useEffect(() => {
    const editor = view.current
    const shown = editor?.state.doc.toString()
    if (editor && shown !== value) editor.dispatch({ changes: { from: 0, to: shown?.length ?? 0, insert: value } })
  }, [value])

  return <div ref={place} dir="ltr" className="overflow-hidden rounded-xl border border-line" />
}
