import { WrapText } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { setPreference, usePreference } from '../lib/preferences.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { visible } from '../ui/visible-text.tsx'
import { useFold } from './use-fold.ts'

// Colouring more than this could hold up the page, and nobody reads it for its colours.
const longestToColour = 50_000
// Beyond this many lines they are one piece of text: an element each would hold up the page.
const mostLines = 5_000

type Props = {
  code: string
  language: string
  /** Lines that differ from another text. */
  marked?: ReadonlySet<number> | undefined
}

export function CodeBlock({ code, language, marked }: Props) {
  const fold = useFold(code)
  const lines = useColoured(fold.shown, language) ?? plainLines(fold.shown)
  const isWrapped = usePreference('wrapCode') === 'on'
  const name = language.slice(0, 24)
  return (
    <figure className={isWrapped ? 'code wrapped' : 'code'}>
      <header>
        <bdi>{visible(name)}</bdi>
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
      {/* biome-ignore lint/a11y: a box that scrolls must take focus, and then it needs a role and a name */}
      <pre tabIndex={0} aria-label={name ? `Code, ${name}` : 'Code'} role="group">
        <code>
          {lines.map((line, n) => (
            <span key={n} className={marked?.has(n) ? 'line differs' : 'line'}>
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

function plainLines(code: string): ReactNode[] {
  const lines = code.split('\n')
  return lines.length > mostLines ? [visible(code)] : lines.map(visible)
}

/** The code in colours, line by line, once the highlighter is there; until then, and for unknown languages, plain. */
function useColoured(code: string, language: string): ReactNode[] | undefined {
  const [coloured, setColoured] = useState<{ code: string; lines: ReactNode[] }>()
  useEffect(() => {
    if (language === '' || code.length > longestToColour) return undefined
    let isWanted = true
    void import('./colour-code.tsx')
      .then(({ colourCode }) => colourCode(code, language))
      .then((lines) => isWanted && lines && setColoured({ code, lines }))
      .catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [code, language])
  return coloured?.code === code ? coloured.lines : undefined
}
