import type { ReactNode } from 'react'
import type { Answer } from '../../lib/send-answer.ts'
import { UndoStack } from './undo-stack.tsx'
import { UnsentStrip } from './unsent-strip.tsx'

type Props = {
  className: string
  /** Opens the task of an answer that came back, or that was refused. */
  onOpen: (answer: Answer) => void
  /** Answers to several tasks were taken back. */
  onReturn: () => void
  children: ReactNode
}

/** Around list and task: above them what could not be sent, at the foot of the list what can be taken back. */
export function AnswerFrame({ className, onOpen, onReturn, children }: Props) {
  return (
    <div className="work">
      <UnsentStrip onOpen={onOpen} />
      <div className={className}>
        {children}
        <UndoStack onBack={([first, another]) => (first && !another ? onOpen(first) : onReturn())} />
      </div>
    </div>
  )
}
