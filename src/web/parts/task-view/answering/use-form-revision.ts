import { useEffect, useRef } from 'react'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'

/**
 * The revision that a person saw when they started to fill in a form or to write. What they send
 * applies to this revision only, however long it took them. At first, it is the revision in which
 * the task was opened.
 */
export function useFormRevision({ revision }: TaskRecord, gate: AnswerGate) {
  // Undefined: the person was told that the task was revised, and the new revision is not shown
  // yet.
  const started = useRef<number | undefined>(revision)
  const shown = useRef(revision)
  useEffect(() => {
    shown.current = revision
    started.current ??= revision
  }, [revision])
  return {
    /** Call it when a form is opened, or opened again. */
    start() {
      started.current = gate.seenRevision ?? revision
    },
    /** An answer to this revision was refused, and the person was told to look at the next one. */
    markRefused(answered: number) {
      started.current = shown.current === answered ? undefined : shown.current
    },
    /**
     * False if the agent has revised the task since: tell the person. If they had already seen the
     * new revision, the next call returns true.
     */
    confirm(): boolean {
      // If undefined, the service refuses the answer again until the new revision is shown.
      if (started.current === undefined || started.current === revision) return true
      if (gate.seenRevision === revision) started.current = revision
      return false
    },
  }
}
