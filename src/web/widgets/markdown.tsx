import { useContext, useMemo } from 'react'
import { FoldedText } from './folded-text.tsx'
import styles from './markdown.module.css'
import { renderMarkdown } from './markdown-elements.tsx'
import { MarksContext } from './marks.tsx'
import type { WidgetProps } from './registry.ts'

// Parsing longer texts could block the page.
const maxLength = 200_000

export default function Markdown({ value }: WidgetProps) {
  if (typeof value !== 'string') throw new TypeError('markdown needs text.')
  const marks = useContext(MarksContext)
  const elements = useMemo(() => {
    if (value.length > maxLength) return undefined
    try {
      return renderMarkdown(value, marks)
    } catch {
      return undefined
    }
  }, [value, marks])
  return elements === undefined ? <FoldedText text={value} /> : <div className={styles.md}>{elements}</div>
}
