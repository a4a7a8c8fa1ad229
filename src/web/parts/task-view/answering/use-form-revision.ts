import { useEffect, useRef } from 'react'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'

/**
 * The revision that a person saw when they began to fill in a form or to write. What they send
 * applies to this revision only, however long it took them. At first, it is the revision in which
 * the task was opened.
 */
export function useFormRevision({ revision }: TaskRecord, gate: AnswerGate) {
  // Undefined: the person was told that the task was revised, and the new revision is not loaded
  // yet.
  const begunIn = useRef<number | undefined>(revision)
  const newest = useRef(revision)
  useEffect(() => {
    newest.current = revision
    begunIn.current ??= revision
  }, [revision])
  return {
    /** Call it when a form is opened, or opened again. */
    begin() {
      begunIn.current = gate.seenRevision ?? revision
    },
    /** An answer to this revision was refused, and the person was told to look at the next one. */
    markRefused(answeredRevision: number) {
      begunIn.current = newest.current === answeredRevision ? undefined : newest.current
    },
    /**
     * 'revised' if the agent has revised the task since the form was begun: tell the person instead
     * of sending. If the new revision has been on screen, the form then counts as begun in it, so
     * that sending again gets 'unchanged'.
     */
    checkBeforeSending(): 'unchanged' | 'revised' {
      // While the new revision is not loaded, the service refuses the answer again.
      if (begunIn.current === undefined || begunIn.current === revision) return 'unchanged'
      if (gate.seenRevision === revision) begunIn.current = revision
      return 'revised'
    },
  }
}

export type FormRevision = ReturnType<typeof useFormRevision>
