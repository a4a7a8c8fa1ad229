import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import type { CreatePolicy } from '../../../../contract/review.ts'
import { formatCount, pluralize } from '../../../lib/count.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { describeMinutes } from './describe-policy.ts'
import { WarningLine } from './warning-line.tsx'

/**
 * How many recent tasks the policy would have applied to, and warnings about the policy. Renders
 * nothing while there is no preview.
 */
export function PolicyPreviewLine({ policy }: { policy: CreatePolicy }) {
  const { api, workspaceId } = useWorkspace()
  const body = useDebounced(JSON.stringify(policy))
  const { data, isError } = useQuery({
    queryKey: ['policy-preview', workspaceId, body],
    queryFn: async ({ signal }) => {
      const previewed = JSON.parse(body) as CreatePolicy
      const preview = await api.previewPolicy(previewed, signal)
      return { ...preview, answerWithinMinutes: previewed.answerWithinMinutes }
    },
    placeholderData: keepPreviousData,
  })
  if (!data || isError) return null
  const { tasks, tooFew, withOnExpire = 0, tooSlow, answerWithinMinutes, warnings, hasMore } = data
  const matched = `${pluralize(tasks, 'task')}${hasMore ? ' or more' : ''}`
  return (
    <>
      {warnings?.map((warning) => (
        <WarningLine key={warning}>{warning}</WarningLine>
      ))}
      <p className="text-meta text-ink-2">
        Last {limits.policyPreviewDays} days: this policy would have applied to {matched}.
        {tooSlow !== undefined &&
          answerWithinMinutes !== undefined &&
          tasks > 0 &&
          ` ${tooSlow === 0 ? 'None' : formatCount(tooSlow)} took longer than ${describeMinutes(answerWithinMinutes)}.`}
      </p>
      {tooFew > 0 && (
        <WarningLine>{formatCount(tooFew)} would have been refused: too few people could answer.</WarningLine>
      )}
      {withOnExpire > 0 && (
        <WarningLine>
          {formatCount(withOnExpire)} would have been refused: {withOnExpire === 1 ? 'it names' : 'they name'}{' '}
          an action for the deadline (onExpire), and a review leaves the decision to people.
        </WarningLine>
      )}
    </>
  )
}
