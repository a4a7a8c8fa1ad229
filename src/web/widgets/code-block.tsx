import { WrapText } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { setPreference, usePreference } from '../lib/preferences.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useFold } from './use-fold.ts'
import widgetsStyles from './widgets.module.css'

// Highlighting longer code could block the page.
const maxHighlightedLength = 50_000
// Longer code is rendered as one text without marks and highlighting: an element per line would
// block the page.
const maxLines = 5_000

type Props = {
  code: string
  language: string
  /** Indices of the lines that differ from another text. */
  marked?: ReadonlySet<number> | undefined
}

export function CodeBlock({ code, language, marked }: Props) {
  const fold = useFold(code)
  const plain = plainLines(fold.shown)
  const lines = useHighlighted(fold.shown, plain ? language : '') ?? plain ?? [bidiSafe(fold.shown)]
  const isWrapped = usePreference('wrapCode') === 'on'
  const name = language.slice(0, 24)
  return (
    <figure className={isWrapped ? `${widgetsStyles.code} ${widgetsStyles.wrapped}` : widgetsStyles.code}>
      <header>
        <bdi>{bidiSafe(name)}</bdi>
        <button
          type="button"
          className="btn square"
          aria-label="Wrap long lines"
          title="Wrap long lines"
          aria-pressed={isWrapped}
          onClick={() => setPreference('wrapCode', isWrapped ? 'off' : 'on')}
        >
          <Icon of={WrapText} />
        </button>
        <CopyButton className="btn square" label="Copy code" text={() => code} />
      </header>
      {/* biome-ignore lint/a11y: a scrollable box must be focusable, and then it needs a role and a name */}
      <pre tabIndex={0} aria-label={name ? `Code, ${escapeBidi(name)}` : 'Code'} role="group">
        <code>
          {lines.map((line, n) => (
            <span
              key={n}
              className={
                plain && marked?.has(n)
                  ? `${widgetsStyles.line} ${widgetsStyles.differs}`
                  : widgetsStyles.line
              }
            >
              {line}
              {n < lines.length - 1 && '\n'}
            </span>
          ))}
        </code>
      </pre>
      {fold.label && (
        <button type="button" className="text-button unfold" onClick={fold.open}>
          {fold.label}
        </button>
      )}
    </figure>
  )
}

/** The lines without highlighting. Undefined if there are too many. */
function plainLines(code: string): ReactNode[] | undefined {
  const lines = code.split('\n')
  return lines.length > maxLines ? undefined : lines.map(bidiSafe)
}

/**
 * The highlighted lines, once the highlighter has loaded. Undefined until then, for unknown
 * languages and for long code.
 */
function useHighlighted(code: string, language: string): ReactNode[] | undefined {
  const [highlighted, setHighlighted] = useState<{ code: string; lines: ReactNode[] }>()
  useEffect(() => {
    if (language === '' || code.length > maxHighlightedLength) return undefined
    let isCurrent = true
    void import('./highlight-code.tsx')
      .then(({ highlightCode }) => highlightCode(code, language))
      .then((lines) => isCurrent && lines && setHighlighted({ code, lines }))
      .catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [code, language])
  return highlighted?.code === code ? highlighted.lines : undefined
}
