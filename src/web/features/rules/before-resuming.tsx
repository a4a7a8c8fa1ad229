import { Link } from '@tanstack/react-router'
import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { pluralize } from '../../lib/count.ts'
import { addDays } from '../../lib/days.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import styles from './rule-history.module.css'

/** What admins should know before the rule answers again. Others can't resume it. */
export function BeforeResuming({ rule }: { rule: RuleDetail }) {
  const { workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const { ruleId, answeredBeforePause, pausedAt, pausedBecause, until } = rule
  if (!isAtLeast('admin')) return null
  // A day in UTC, like the filters of the handled tasks.
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
              Check its answers of the day it paused and the day before
            </Link>
            . In the 24 hours before it paused, it gave {pluralize(answeredBeforePause, 'answer')}.
          </li>
        )}
        {pausedBecause === 'formChanged' && (
          <li>Make sure that its answer fits the form that agents send now.</li>
        )}
        {Date.parse(until) <= Date.now() && <li>Choose how long it may answer from now on.</li>}
        <li>The evidence is reset when you resume it or change anything but its name and end.</li>
      </ul>
    </section>
  )
}
