import { useEffect, useRef, useState } from 'react'
import { AnswerGate } from './answer-gate.ts'

/** A gate for a dialog that sends answers. `marked` is the element that gets `data-answerable`. */
export function useAnswerGate(isShown = true) {
  const [gate] = useState(() => new AnswerGate())
  const marked = useRef<HTMLDivElement>(null)
  useEffect(() => (isShown ? gate.openWhenVisible() : undefined), [gate, isShown])
  useEffect(
    () => gate.subscribe((isOpen) => marked.current?.toggleAttribute('data-answerable', isOpen)),
    [gate],
  )
  return { gate, marked }
}
