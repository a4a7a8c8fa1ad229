import type { ReactNode } from 'react'
import { classes } from '../../lib/classes.ts'
import type { Answer } from '../../lib/send-answer.ts'
import panesStyles from '../../ui/panes.module.css'
import type { Undoable } from './undo-entries.tsx'
import { UndoStack } from './undo-stack.tsx'
import { UnsentStrip } from './unsent-strip.tsx'

type Props = {
  className?: string | undefined
  /** Opens the task of an answer that was undone, or refused by the service. */
  onOpen: (answer: Answer) => void
  /** Answers to several tasks were undone. */
  onBulkUndone: () => void
  /** An action other than an answer that can be undone. */
  undoable?: Undoable | undefined
  /** What was just done and cannot be undone. */
  notice?: string | undefined
  children: ReactNode
}

/** Shows a list and a task, unsent answers above them, and what can be undone at the bottom of the list. */
export function AnswerFrame({ className, onOpen, onBulkUndone, undoable, notice, children }: Props) {
  return (
    <div className={panesStyles.work}>
      <UnsentStrip onOpen={onOpen} />
      <div className={classes(panesStyles.panes, className)}>
        {children}
        <UndoStack
          other={undoable}
          notice={notice}
          onUndone={([first, another]) => (first && !another ? onOpen(first) : onBulkUndone())}
        />
      </div>
    </div>
  )
}
