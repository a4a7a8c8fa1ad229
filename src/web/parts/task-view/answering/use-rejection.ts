import { useState } from 'react'
import type { HandrailProblem } from '../../../../client/problem.ts'
import { reservedActions } from '../../../../contract/reserved-actions.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { AnswerGate } from '../../../lib/answer-gate.ts'
import { asProblem } from '../../../lib/problem.ts'
import { revisedProblem, scrollToChanges } from './revised-problem.ts'
import { useFormRevision } from './use-form-revision.ts'
import type { Sending } from './use-sending.ts'

type Inputs = {
  task: TaskRecord
  gate: AnswerGate
  sending: Sending
  /** Called once per press. Returns why the press may not answer; undefined if it may. */
  tryAcceptPress: () => string | undefined
}

/** The dialog that rejects the task with a reason. */
export function useRejection({ task, gate, sending, tryAcceptPress }: Inputs) {
  /** The open dialog. If `reason` is undefined, it starts with the reason in the draft. */
  const [dialog, setDialog] = useState<{ reason: string | undefined }>()
  const formRevision = useFormRevision(task, gate)

  function open(reason?: string) {
    formRevision.begin()
    // The problem on screen may be about another action.
    sending.clearProblem()
    setDialog({ reason })
  }

  function close() {
    setDialog(undefined)
    if (sending.problem?.code === 'task_revised') sending.clearProblem()
  }

  /** Resolves with the problem for the dialog, if the rejection was not sent or was refused. */
  async function send(feedback: string): Promise<HandrailProblem | undefined> {
    if (formRevision.checkBeforeSending() === 'revised') {
      scrollToChanges()
      return revisedProblem()
    }
    const refusal = tryAcceptPress()
    if (refusal) return asProblem(new Error(refusal))
    return await sending.send({
      actionId: reservedActions.rejectRequest.id,
      title: reservedActions.rejectRequest.title,
      data: { feedback },
    })
  }

  return { dialog, open, close, send }
}
