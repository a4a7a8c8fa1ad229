import { useQueryClient } from '@tanstack/react-query'
import type { Answer } from '../../lib/send-answer.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { restoreDraft } from './restore-draft.ts'
import { useAnswerQueue } from './use-answer-queue.ts'

/** Undoes answers: restores their drafts, and returns a single answer to its task. */
export function useUndo(onUndone: (answers: Answer[]) => void) {
  const { me } = useWorkspace()
  const queryClient = useQueryClient()
  const { queue } = useAnswerQueue()

  function restore(answers: Answer[]) {
    if (answers.length === 0) return
    for (const answer of answers) restoreDraft(queryClient, me.person.userId, answer)
    if (answers.length === 1 && answers[0]) queue.returnAnswer({ answer: answers[0] })
    onUndone(answers)
  }

  return {
    /** Undoes all answers of an entry that has not been sent yet. */
    undoEntry: (entryId: string) => restore(queue.undo(entryId)),
    /** Undoes one answer of the list of unsent answers. */
    undoUnsent(key: string) {
      const answer = queue.remove(key)
      if (answer) restore([answer])
    },
  }
}
