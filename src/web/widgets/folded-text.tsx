import { visible } from '../ui/visible-text.tsx'
import { useFold } from './use-fold.ts'

/** Long text as it was sent, folded at forty lines. */
export function FoldedText({ text }: { text: string }) {
  const fold = useFold(text)
  return (
    <>
      <p className="prose-text">{visible(fold.shown)}</p>
      {fold.label && (
        <button type="button" className="text-button unfold" onClick={fold.open}>
          {fold.label}
        </button>
      )}
    </>
  )
}
