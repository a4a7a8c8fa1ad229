import { useState } from 'react'
import { reservedActions } from '../../../../contract/reserved-actions.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { canUndo } from '../../answers/can-undo.ts'
import { useFormRevision } from './use-form-revision.ts'
import type { useSending } from './use-sending.ts'

type Inputs = {
  task: TaskRecord
  gate: AnswerGate
  sending: ReturnType<typeof useSending>
  /** Why the current press may not answer; undefined if it may. */
  pressRefusal: () => string | undefined
}

/** Marks the task done. If that cannot be undone, a dialog asks first. */
export function useMarkDone({ task, gate, sending, pressRefusal }: Inputs) {
  const [isConfirming, setConfirming] = useState(false)
  const formRevision = useFormRevision(task, gate)

  async function send() {
    const { id: actionId, title } = reservedActions.markDone
    await sending.send({ actionId, title })
  }

  return {
    isConfirming,
    async start() {
      if (pressRefusal()) return
      if (canUndo()) return await send()
      formRevision.start()
      setConfirming(true)
    },
    async confirm() {
      setConfirming(false)
      if (!formRevision.confirm()) return void sending.showRevised()
      if (!pressRefusal()) await send()
    },
    cancel: () => setConfirming(false),
  }
}
