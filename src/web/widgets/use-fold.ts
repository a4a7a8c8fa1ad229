import { useState } from 'react'
import { formatCount } from '../lib/count.ts'

const maxLines = 40
// Also folds text without line breaks, at about the length of forty lines.
const maxCharacters = 6_000

/** The start of a long text, and the label of the button that shows all of it. */
export function useFold(text: string): { shown: string; label: string | undefined; open: () => void } {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  // A text with fewer characters than this cannot have more lines.
  if (isOpen || text.length < maxLines) return { shown: text, label: undefined, open }

  const lines = text.split('\n')
  const firstLines = lines.length > maxLines ? lines.slice(0, maxLines).join('\n') : text
  const shown = firstLines.length > maxCharacters ? firstLines.slice(0, maxCharacters) : firstLines
  if (shown.length === text.length) return { shown: text, label: undefined, open }
  const label =
    lines.length > maxLines
      ? `Show all ${formatCount(lines.length)} lines`
      : `Show all ${formatCount(text.length)} characters`
  return { shown, label, open }
}
