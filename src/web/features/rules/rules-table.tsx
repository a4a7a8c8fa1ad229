import { Link } from '@tanstack/react-router'
import { limits } from '../../../contract/limits.ts'
import type { Rule } from '../../../contract/rules/rule.ts'
import { classes } from '../../lib/classes.ts'
import { formatShortDay, localDay } from '../../lib/days.ts'
import { formatFullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { describeBriefly } from './describe-rule.ts'
import { RuleAgreement } from './rule-agreement.tsx'
import { StateChip } from './rule-state.tsx'
import { describeDaysUntil, formatAnswered } from './rule-texts.ts'
import frameStyles from './rules-frame.module.css'
import styles from './rules-table.module.css'

const stateOrder: Rule['state'][] = ['active', 'paused', 'ended']

/** All rules: active ones first, ended ones last. */
export function RulesTable({ rules }: { rules: Rule[] }) {
  const sorted = rules.toSorted(
    (one, other) => stateOrder.indexOf(one.state) - stateOrder.indexOf(other.state),
  )
  return (
    <section className={frameStyles.part}>
      <h2 className="sr-only">All rules</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.rule}>
              Rule
            </th>
            <th scope="col">State</th>
            <th scope="col" className={styles.right}>
              Answered, {limits.ruleFigureDays} days
            </th>
            <th scope="col" className={styles.agreement}>
              Agreement (line: lowest allowed)
            </th>
            <th scope="col" className={styles.right}>
              Until
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((rule) => (
            <RuleRow key={rule.ruleId} rule={rule} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function RuleRow({ rule }: { rule: Rule }) {
  const { workspaceId } = useWorkspace()
  const now = useNow()
  const { ruleId, name, answered, until, state } = rule
  const hasEnded = state === 'ended'
  return (
    <tr className={classes(hasEnded && styles.ended)}>
      <td>
        <Link className={styles.name} to="/w/$workspaceId/rules/$ruleId" params={{ workspaceId, ruleId }}>
          <bdi>{bidiSafe(name)}</bdi>
        </Link>
        <p>
          <bdi>{bidiSafe(describeBriefly(rule))}</bdi>
        </p>
      </td>
      <td>
        <StateChip rule={rule} />
      </td>
      <td className={styles.right}>
        <span className="narrow-only">Answered in {limits.ruleFigureDays} days: </span>
        {formatAnswered(answered.lastDays)}{' '}
        <p>
          {hasEnded
            ? `of ${formatAnswered(answered.total)} in total`
            : `of ${formatAnswered(answered.tasksLastDays)}`}
        </p>
      </td>
      <td className={styles.agreement}>
        <RuleAgreement rule={rule} />
      </td>
      <td className={styles.right}>
        {hasEnded ? (
          <span className="wide-only">–</span>
        ) : (
          <>
            <span className="narrow-only">Until </span>
            <time dateTime={until} title={formatFullDate(until)}>
              {formatShortDay(localDay(until))}
            </time>
            <span className="narrow-only">, </span>
            <p>{describeDaysUntil(until, now)}</p>
          </>
        )}
      </td>
    </tr>
  )
}
