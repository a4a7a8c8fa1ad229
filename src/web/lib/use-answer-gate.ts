import { useEffect, useRef, useState } from 'react'
import { AnswerGate } from './answer-gate.ts'

/** For a dialog that answers: a gate, and the ref of the element in it that says when answers are taken. */
export function useAnswerGate(isShown = true) {
  const [gate] = useState(() => new AnswerGate())
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => (isShown ? gate.show() : undefined), [gate, isShown])
  useEffect(() => gate.follow((isOpen) => mark.current?.toggleAttribute('data-answerable', isOpen)), [gate])
  return { gate, mark }
}
