import { useQueryClient } from '@tanstack/react-query'
import type { Answer } from '../../lib/send-answer.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { restoreDraft } from './restore-draft.ts'
import { useAnswerQueue } from './use-answers.ts'

/** Takes answers back: restores their drafts, and returns a single answer to its task. */
export function useUndo(onBack: (answers: Answer[]) => void) {
  const { me } = useWorkspace()
  const queryClient = useQueryClient()
  const { queue } = useAnswerQueue()

  function handBack(answers: Answer[]) {
    if (answers.length === 0) return
    for (const answer of answers) restoreDraft(queryClient, me.person.userId, answer)
    if (answers.length === 1 && answers[0]) queue.returnAnswer({ answer: answers[0] })
    onBack(answers)
  }

  return {
    takeBack: (entryId: string) => handBack(queue.undo(entryId)),
    giveUp(key: string) {
      const answer = queue.remove(key)
      if (answer) handBack([answer])
    },
  }
}
