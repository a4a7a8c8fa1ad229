import { useState } from 'react'

const mostLines = 40
// A text without line breaks folds as well, at about as much as forty lines hold.
const mostCharacters = 6_000
const figure = new Intl.NumberFormat()

/** The beginning of a long text, and words that say how much there is. */
export function useFold(text: string): { shown: string; label: string | undefined; open: () => void } {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  if (isOpen || text.length <= mostLines) return { shown: text, label: undefined, open }

  const lines = text.split('\n')
  const cut = lines.length > mostLines ? lines.slice(0, mostLines).join('\n') : text
  const shown = cut.length > mostCharacters ? cut.slice(0, mostCharacters) : cut
  if (shown.length === text.length) return { shown: text, label: undefined, open }
  const label =
    lines.length > mostLines
      ? `Show all ${figure.format(lines.length)} lines`
      : `Show all ${figure.format(text.length)} characters`
  return { shown, label, open }
}
