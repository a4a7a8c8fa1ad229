import { useState } from 'react'
import { reservedActions } from '../../../../contract/reserved-actions.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { canUndo } from '../../answers/can-undo.ts'
import { useFormRevision } from './use-form-revision.ts'
import type { Sending } from './use-sending.ts'

type Inputs = {
  task: TaskRecord
  gate: AnswerGate
  sending: Sending
  /** Called once per press. Returns why the press may not answer; undefined if it may. */
  tryAcceptPress: () => string | undefined
}

/** Marks the task done. If that cannot be undone, a dialog asks first. */
export function useMarkDone({ task, gate, sending, tryAcceptPress }: Inputs) {
  const [isConfirming, setConfirming] = useState(false)
  const formRevision = useFormRevision(task, gate)

  async function send() {
    const { id: actionId, title } = reservedActions.markDone
    await sending.send({ actionId, title })
  }

  return {
    /** Whether the dialog is open. */
    isConfirming,
    async start() {
      if (tryAcceptPress() !== undefined) return
      if (canUndo()) return await send()
      formRevision.begin()
      setConfirming(true)
    },
    async confirm() {
      setConfirming(false)
      if (formRevision.checkBeforeSending() === 'revised') return void sending.showRevised()
      if (tryAcceptPress() === undefined) await send()
    },
    cancel: () => setConfirming(false),
  }
}
