import { createContext } from 'react'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './snippets.module.css'

/** Returns the texts that the person has repeatedly written into a field of the form. */
export const SnippetsContext = createContext<(property: string) => string[]>(() => [])

type Props = { texts: string[]; onPick: (text: string) => void }

/** Texts to insert, as chips under a text field. */
export function Snippets({ texts, onPick }: Props) {
  if (texts.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a legend
    <div className={styles.snippets} role="group" aria-label="Texts to insert">
      {texts.map((text) => (
        <button key={text} type="button" className={styles.snippet} onClick={() => onPick(text)}>
          <bdi>{bidiSafe(text)}</bdi>
        </button>
      ))}
    </div>
  )
}

export function withSnippet(text: string, snippet: string): string {
  return text.trim() === '' ? snippet : `${text.trimEnd()} ${snippet}`
}
