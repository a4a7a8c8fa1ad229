import { useRef } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import type { AnswerGate } from '../../lib/answer-gate.ts'

/**
 * The revision that a person saw when they began to fill in a form or to write. What they send applies to this
 * revision only, however long it took them.
 */
export function useBegunRevision({ revision }: TaskRecord, gate: AnswerGate) {
  const begun = useRef<number>(undefined)
  const seen = () => gate.seenRevision ?? revision
  return {
    /** Another form, or the same one opened again. */
    begin() {
      begun.current = seen()
    },
    /** The person works on what may have been begun already. */
    keep() {
      begun.current ??= seen()
    },
    end() {
      begun.current = undefined
    },
    /**
     * False if the agent has revised the task since: tell the person. Once they have seen the revision, the next call
     * returns true.
     */
    isCurrent(): boolean {
      if (begun.current === undefined || begun.current === revision) return true
      if (gate.seenRevision === revision) begun.current = revision
      return false
    },
  }
}
