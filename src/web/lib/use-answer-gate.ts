import { useEffect, useRef, useState } from 'react'
import { AnswerGate } from './answer-gate.ts'

/** A gate for a dialog that answers, and a ref for the element that gets `data-answerable`. */
export function useAnswerGate(isShown = true) {
  const [gate] = useState(() => new AnswerGate())
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => (isShown ? gate.show() : undefined), [gate, isShown])
  useEffect(
    () => gate.subscribe((isOpen) => mark.current?.toggleAttribute('data-answerable', isOpen)),
    [gate],
  )
  return { gate, mark }
}
