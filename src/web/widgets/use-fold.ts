import { useState } from 'react'
import { formatCount } from '../lib/count.ts'

const maxLines = 40
// About the length of forty lines, for text with few line breaks.
const maxCharacters = 6_000

/** The start of a long text, and the label of the button that shows all of it. */
export function useFold(text: string): { shown: string; label: string | undefined; open: () => void } {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  // A text with fewer characters than this cannot have more lines.
  if (isOpen || text.length < maxLines) return { shown: text, label: undefined, open }

  const lines = text.split('\n')
  const lineCount = text.endsWith('\n') ? lines.length - 1 : lines.length
  const firstLines = lineCount > maxLines ? lines.slice(0, maxLines).join('\n') : text
  const shown = firstLines.length > maxCharacters ? cutText(firstLines) : firstLines
  if (shown.length === text.length) return { shown: text, label: undefined, open }
  const label =
    lineCount > maxLines
      ? `Show all ${formatCount(lineCount)} lines`
      : `Show all ${formatCount(text.length)} characters`
  return { shown, label, open }
}

/** Cuts a text without leaving half of a character at the end. */
function cutText(text: string): string {
  return text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')
}
