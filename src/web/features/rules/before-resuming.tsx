import { Link } from '@tanstack/react-router'
import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { pluralize } from '../../lib/count.ts'
import { addDays } from '../../lib/days.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import styles from './rule-history.module.css'

/** What an admin should know before the rule answers again. */
export function BeforeResuming({ rule }: { rule: RuleDetail }) {
  const { workspaceId } = useWorkspace()
  const { ruleId, unseen, pausedAt, pausedBecause } = rule
  const day = pausedAt?.slice(0, 10)
  return (
    <section>
      <h2>Before you resume</h2>
      <ul className={styles.hints}>
        {unseen > 0 && day && (
          <li>
            <Link
              className="link"
              to="/w/$workspaceId/handled"
              params={{ workspaceId }}
              search={{ rule: ruleId, from: addDays(day, -1), to: day }}
            >
              {pluralize(unseen, 'answer')} of the rule
            </Link>{' '}
            in the day before it paused, which nobody has looked at.
          </li>
        )}
        {pausedBecause === 'formChanged' && <li>Edit its answer, so that it fits the form of today.</li>}
        {pausedBecause === 'untilReached' && <li>Choose how long it may answer from now on.</li>}
        <li>Evidence starts anew when you edit or resume.</li>
      </ul>
    </section>
  )
}
