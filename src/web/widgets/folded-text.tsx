import { useContext } from 'react'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { MarksContext, markedText } from './marks.tsx'
import { useFold } from './use-fold.ts'

/** Plain text. A long one is folded. */
export function FoldedText({ text }: { text: string }) {
  const fold = useFold(text)
  const marks = useContext(MarksContext)
  return (
    <>
      <p className="prose-text" dir="auto">
        {marks ? markedText(fold.shown, marks.words, 0).elements : bidiSafe(fold.shown)}
      </p>
      {fold.label && (
        <button type="button" className="text-button unfold" onClick={fold.open}>
          {fold.label}
        </button>
      )}
    </>
  )
}
