import { Link } from '@tanstack/react-router'
import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { pluralize } from '../../lib/count.ts'
import { addDays } from '../../lib/days.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import styles from './rule-history.module.css'

/** What admins should know before they resume a paused rule. Other members can't resume it. */
export function BeforeResuming({ rule }: { rule: RuleDetail }) {
  const { workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const { ruleId, answeredBeforePause, pausedAt, pausedBecause, until } = rule
  if (!isAtLeast('admin')) return null
  // The day in UTC, because the filters of the Handled page are days in UTC.
  const day = pausedAt?.slice(0, 10)
  return (
    <section>
      <h2>Before you resume</h2>
      <ul className={styles.hints}>
        {answeredBeforePause > 0 && day && (
          <li>
            <Link
              className="link"
              to="/w/$workspaceId/handled"
              params={{ workspaceId }}
              search={{ rule: ruleId, from: addDays(day, -1), to: day }}
            >
              Check the answers that the rule gave on the day it paused and the day before
            </Link>
            . It gave {pluralize(answeredBeforePause, 'answer')} in the 24 hours before it paused.
          </li>
        )}
        {pausedBecause === 'formChanged' && (
          <li>Make sure that the answer of the rule fits the form that agents send now.</li>
        )}
        {Date.parse(until) <= Date.now() && <li>Choose how long the rule may answer from now on.</li>}
        <li>Resuming the rule resets its evidence. So does any change except of its name or end.</li>
      </ul>
    </section>
  )
}
