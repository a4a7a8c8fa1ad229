import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { AnalysisRun } from '../../../../contract/feedback-analysis.ts'
import { formatShortPercent } from '../../../lib/numbers.ts'
import { asProblem } from '../../../lib/problem.ts'
import { useRole } from '../../../lib/role.ts'
import { usePolicies } from '../../../lib/use-policies.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { ProblemStrip } from '../../../ui/strip.tsx'
import switchStyles from '../../../ui/switch-line.module.css'
import { describeExtraAnswers } from './describe-result.ts'
import { type DoubleReviewPlan, planDoubleReview } from './double-review-plan.ts'
import styles from './inconclusive.module.css'

const defaultShare = 0.05

const reasons: Record<Extract<DoubleReviewPlan, { canSwitch: false }>['why'], string> = {
  broader:
    'A policy for more than this app and type applies. Change it, or create one for this app and type, in',
  several: 'The policy of this app and type already asks several people. Change it in',
}

/** Explains double reviews of this app and type, with a switch for admins. */
export function DoubleReview({ run: { app, type, taskCount } }: { run: AnalysisRun }) {
  const { workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const { plan, isOn, toggle, loadError, saveError } = useDoubleReview(app, type)
  const describedBy = useId()
  const share = (plan?.canSwitch && plan.share) || defaultShare
  const title = `Send ${formatShortPercent(share)} of tasks to two people`
  const isAdmin = isAtLeast('admin')
  return (
    <li className={styles.remedy}>
      <div>
        <b>{title}</b>
        <p id={describedBy}>
          Shows how much depends on who answers. {describeExtraAnswers(share, taskCount)}{' '}
          {!isAdmin && plan?.canSwitch && (isOn ? 'It is turned on.' : 'An admin can turn it on.')}
          {isAdmin && plan && !plan.canSwitch && (
            <>
              {reasons[plan.why]}{' '}
              <Link
                className="link"
                to="/w/$workspaceId/settings/$page"
                params={{ workspaceId, page: 'policies' }}
              >
                Settings, Policies
              </Link>
              .
            </>
          )}
        </p>
      </div>
      {isAdmin && plan?.canSwitch && (
        <input
          type="checkbox"
          role="switch"
          className={switchStyles.switch}
          aria-label={title}
          aria-describedby={describedBy}
          aria-checked={isOn}
          checked={isOn}
          onChange={toggle}
        />
      )}
      {loadError && isAdmin && (
        <ProblemStrip message="The policies couldn't be loaded." problem={asProblem(loadError)} />
      )}
      {saveError && <ProblemStrip message="The policy wasn't changed." problem={asProblem(saveError)} />}
    </li>
  )
}

function useDoubleReview(app: string, type: string) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  /** The choice that the switch shows until it is saved. */
  const [chosen, setChosen] = useState<boolean>()
  const policies = usePolicies()
  const change = useMutation({
    // Saved one after the other, so that the last choice is the one that stays.
    scope: { id: 'double-review' },
    mutationFn: (isOn: boolean) => api.setDoubleReviews({ app, type, share: isOn ? defaultShare : 0 }),
    onSettled: async (_data, _error, isOn) => {
      await queryClient.invalidateQueries({ queryKey: ['policies', workspaceId] })
      setChosen((now) => (now === isOn ? undefined : now))
    },
  })
  const plan = policies.data && planDoubleReview(policies.data, { app, type })
  const isOn = chosen ?? (plan?.canSwitch === true && plan.share > 0)
  return {
    plan,
    isOn,
    loadError: policies.error,
    saveError: change.error,
    toggle() {
      setChosen(!isOn)
      change.mutate(!isOn)
    },
  }
}
