import { useQuery } from '@tanstack/react-query'
import type { QuestionKind } from '../../../../contract/question.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { useWorkspace } from '../../../lib/workspace.ts'

const maxTasks = 50
const none: string[] = []

/**
 * The texts of the person's own questions about the latest tasks of a type, newest task first. Empty
 * while they load. The API cannot list tasks by who asked, and its summaries have no questions, so
 * this loads whole records and filters them.
 */
export function usePastQuestions(type: string, kind: QuestionKind): string[] {
  const { api, me, workspaceId } = useWorkspace()
  const { email } = me.person
  const { data = none } = useQuery({
    queryKey: ['past-questions', workspaceId, email, type, kind],
    queryFn: async ({ signal }) => {
      const { tasks } = await api.listTasks({ type, limit: maxTasks }, signal)
      return tasks.flatMap(({ questions = [] }: TaskRecord) =>
        questions
          .filter((question) => question.askedBy === email && question.kind === kind)
          .map(({ text }) => text)
          .reverse(),
      )
    },
    staleTime: 60_000,
  })
  return data
}
