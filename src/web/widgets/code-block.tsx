import { type ReactNode, useEffect, useState } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { visible } from '../ui/visible-text.tsx'
import { useFold } from './use-fold.ts'

// Colouring more than this could hold up the page, and nobody reads it for its colours.
const longestToColour = 50_000

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const fold = useFold(code)
  const coloured = useColoured(fold.shown, language)
  const name = language.slice(0, 24)
  return (
    <figure className="code">
      <header>
        <bdi>{visible(name)}</bdi>
        <CopyButton className="btn square" label="Copy code" text={() => code} />
      </header>
      {/* biome-ignore lint/a11y: a box that scrolls must take focus, and then it needs a role and a name */}
      <pre tabIndex={0} aria-label={name ? `Code, ${name}` : 'Code'} role="group">
        <code>{coloured ?? visible(fold.shown)}</code>
      </pre>
      {fold.label && (
        <button type="button" className="text-button unfold" onClick={fold.open}>
          {fold.label}
        </button>
      )}
    </figure>
  )
}

/** The code in colours once the highlighter is there; until then, and for unknown languages, plain. */
function useColoured(code: string, language: string): ReactNode {
  const [coloured, setColoured] = useState<{ code: string; elements: ReactNode }>()
  useEffect(() => {
    if (language === '' || code.length > longestToColour) return undefined
    let isWanted = true
    void import('./colour-code.tsx')
      .then(({ colourCode }) => colourCode(code, language))
      .then((elements) => isWanted && elements && setColoured({ code, elements }))
      .catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [code, language])
  return coloured?.code === code ? coloured.elements : undefined
}
