import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import type { CreatePolicy } from '../../../../contract/review.ts'
import { formatCount, pluralize } from '../../../lib/count.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { describeMinutes } from './describe-policy.ts'
import { WarningLine } from './warning-line.tsx'

/**
 * What the policy would have meant for the tasks of the last days, and what is wrong with it.
 * Nothing if the service can't say.
 */
export function PolicyPreviewLine({ policy }: { policy: CreatePolicy }) {
  const { api, workspaceId } = useWorkspace()
  const body = useDebounced(JSON.stringify(policy))
  const { data, isError } = useQuery({
    queryKey: ['policy-preview', workspaceId, body],
    queryFn: ({ signal }) => api.previewPolicy(JSON.parse(body), signal),
    placeholderData: keepPreviousData,
  })
  if (!data || isError) return null
  const { tasks, tooFew, withOnExpire = 0, tooSlow, warnings, stopped } = data
  const { answerWithinMinutes } = JSON.parse(body) as CreatePolicy
  const matched = `${pluralize(tasks, 'task')}${stopped ? ' or more' : ''}`
  return (
    <>
      {warnings?.map((warning) => (
        <WarningLine key={warning}>{warning}</WarningLine>
      ))}
      <p className="text-meta text-ink-2">
        Last {limits.policyPreviewDays} days: this would have applied to {matched}.
        {tooSlow !== undefined &&
          answerWithinMinutes !== undefined &&
          tasks > 0 &&
          ` ${tooSlow === 0 ? 'None' : formatCount(tooSlow)} of them took longer than ${describeMinutes(answerWithinMinutes)}.`}
      </p>
      {tooFew > 0 && (
        <WarningLine>
          {formatCount(tooFew)} of them would have been refused: too few people could answer.
        </WarningLine>
      )}
      {withOnExpire > 0 && (
        <WarningLine>
          {formatCount(withOnExpire)} of them would have been refused: they name an action for the deadline
          (onExpire), and a review leaves the decision to people.
        </WarningLine>
      )}
    </>
  )
}
