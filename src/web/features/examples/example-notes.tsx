import { Link } from '@tanstack/react-router'
import { MessageCircleQuestionMark, Users } from 'lucide-react'
import type { CreateTask } from '../../../contract/create-task.ts'
import { pluralize } from '../../lib/count.ts'
import { useMembers } from '../../lib/use-members.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Strip } from '../../ui/strip.tsx'

export type Reviewers = { needed: number; available: number }

/**
 * How many people must give the same answer, and how many could if the review does not name who may
 * answer: all members with a verified address except this person, who sends the example. Undefined if
 * one answer is enough, or while the members are not loaded.
 */
export function useReviewers({ review }: CreateTask): Reviewers | undefined {
  const { me } = useWorkspace()
  const { data: members } = useMembers()
  const { needed = 1 } = review ?? {}
  if (needed === 1 || !members) return undefined
  const others = members.filter(({ userId, emailVerified }) => emailVerified && userId !== me.person.userId)
  return { needed, available: others.length }
}

/** Says what is different from a task that an agent sends. */
export function ExampleNotes({
  payload,
  reviewers,
}: {
  payload: CreateTask
  reviewers: Reviewers | undefined
}) {
  const { workspaceId } = useWorkspace()
  return (
    <>
      {payload.acceptsQuestions && (
        <Strip tone="info" icon={MessageCircleQuestionMark}>
          If you ask back, nobody replies, because no agent waits for the answer to a task that you send from
          here. To get replies, run the code under TypeScript.
        </Strip>
      )}
      {reviewers && reviewers.available >= reviewers.needed && (
        <Strip tone="info" icon={Users}>
          You send this task, so you can't answer it: {reviewers.needed} other people must give the same
          answer.
        </Strip>
      )}
      {reviewers && reviewers.available < reviewers.needed && (
        <Strip
          tone="warn"
          icon={Users}
          action={
            <Link
              className="btn small"
              to="/w/$workspaceId/settings/$page"
              params={{ workspaceId, page: 'invitations' }}
            >
              Invite colleagues
            </Link>
          }
        >
          {reviewers.needed} people other than you must give the same answer. This workspace has{' '}
          {pluralize(reviewers.available, 'other member')} with a verified email address. To answer the task
          yourself, remove “review” from the payload.
        </Strip>
      )}
    </>
  )
}
