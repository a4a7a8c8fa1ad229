import { useMemo, useState } from 'react'
import { isObject, type JsonObject, own } from '../../contract/forms/json.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { type ChangedLine, diffLines, parsePatch } from './changed-lines.ts'
import { CodeBlock } from './code-block.tsx'
import styles from './diff.module.css'
import { textOption } from './hints.ts'
import type { WidgetProps } from './registry.ts'
import { SplitLines } from './split-lines.tsx'
import { useShowMore } from './use-show-more.tsx'
import widgetsStyles from './widgets.module.css'

const signs = { same: ' ', removed: '−', added: '+', header: ' ' } as const

/** A diff of `{ before, after }` or `{ old, new }`, or the text of a unified diff. */
export default function Diff({ value, hints }: WidgetProps) {
  const [isSplit, setSplit] = useState(false)
  const parsed = useMemo(() => parseDiff(value), [value])
  if (!parsed) throw new TypeError('diff needs { before, after }, { old, new } or the text of a diff.')
  const { lines } = parsed
  if (!lines) {
    const language = textOption(hints, 'language') ?? ''
    return (
      <>
        <p className="help">There are too many differences to compare, so both versions are shown in full.</p>
        <CodeBlock code={parsed.before} language={language} />
        <CodeBlock code={parsed.after} language={language} />
      </>
    )
  }
  const added = lines.filter(({ kind }) => kind === 'added').length
  const removed = lines.filter(({ kind }) => kind === 'removed').length
  return (
    <figure className={`${widgetsStyles.code} ${styles.changes}`}>
      <header>
        <span>
          {removed} removed, {added} added
        </span>
        <button
          type="button"
          className="text-button"
          aria-pressed={isSplit}
          onClick={() => setSplit(!isSplit)}
        >
          Side by side
        </button>
        <CopyButton className="btn square" label="Copy changes" text={() => parsed.patch ?? asText(lines)} />
      </header>
      {isSplit ? <SplitLines lines={lines} /> : <UnifiedLines lines={lines} />}
    </figure>
  )
}

function UnifiedLines({ lines }: { lines: ChangedLine[] }) {
  const { shown, more } = useShowMore(lines, 200, 'lines')
  return (
    <>
      {/* biome-ignore lint/a11y: a box that scrolls must take focus, and then it needs a role and a name */}
      <pre tabIndex={0} role="group" aria-label="Changes">
        {shown.map(({ kind, text }, n) => (
          <span key={n} className={`${widgetsStyles.line} ${widgetsStyles[kind]} ${styles.line}`}>
            <span className={styles.sign}>{signs[kind]} </span>
            {bidiSafe(text)}
            {'\n'}
          </span>
        ))}
      </pre>
      {more}
    </>
  )
}

type ParsedDiff = {
  before: string
  after: string
  lines: ChangedLine[] | undefined
  /** A unified diff as it was sent, so that the copied text can be applied. */
  patch?: string
}

const fieldNames: ReadonlySet<string> = new Set(['before', 'after', 'old', 'new'])

function parseDiff(value: unknown): ParsedDiff | undefined {
  if (typeof value === 'string' && value !== '') {
    const lines = parsePatch(value)
    return lines && { before: '', after: '', lines, patch: value }
  }
  // Reject values with other fields, or two fields for one text, which this widget would not show.
  if (!isObject(value) || !Object.keys(value).every((name) => fieldNames.has(name))) return undefined
  const before = textIn(value, 'before', 'old')
  const after = textIn(value, 'after', 'new')
  if (before === undefined || after === undefined) return undefined
  return { before, after, lines: diffLines(before, after) }
}

/**
 * The text of a field, or its value as indented JSON. Undefined unless the value has exactly one of
 * the fields.
 */
function textIn(value: JsonObject, ...fields: string[]): string | undefined {
  const [field, another] = fields.filter((name) => Object.hasOwn(value, name))
  if (field === undefined || another !== undefined) return undefined
  const text = own(value, field)
  return typeof text === 'string' ? text : (JSON.stringify(text, null, 2) ?? '')
}

function asText(lines: ChangedLine[]): string {
  return lines.map(({ kind, text }) => `${signs[kind].replace('−', '-')}${text}`).join('\n')
}
