import { useEffect, useMemo, useState } from 'react'
import { AnswerGate } from './answer-gate.ts'

/**
 * A gate for a dialog that sends answers. `mark` is the ref of an element of the dialog, which gets
 * `data-answerable`. The gate stays closed until that element is in the document, because the dialog
 * may still be loading. `marked` holds the element.
 */
export function useAnswerGate(isShown = true) {
  const [gate] = useState(() => new AnswerGate())
  const [element, mark] = useState<HTMLDivElement | null>(null)
  const marked = useMemo(() => ({ current: element }), [element])
  useEffect(() => (isShown && element ? gate.openWhenVisible() : undefined), [gate, isShown, element])
  useEffect(
    () => gate.subscribe((isOpen) => element?.toggleAttribute('data-answerable', isOpen)),
    [gate, element],
  )
  return { gate, mark, marked }
}
