import { limits } from '../../../contract/limits.ts'
import type { Rule } from '../../../contract/rules/rule.ts'
import { formatCount } from '../../lib/count.ts'
import { formatPercent } from '../../lib/numbers.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './rule-figures.module.css'
import { formatAnswered } from './rule-texts.ts'

// How long a person is assumed to take. The page names this assumption.
const secondsPerTask = 60

export function RuleFigures({ rule }: { rule: Rule }) {
  const { answered, samples, type } = rule
  const { total, lastDays, tasksLastDays } = answered
  const minutes = (total * secondsPerTask) / 60
  const isHours = minutes >= 120
  return (
    <dl className={styles.figures}>
      <div>
        <dt>Answered by the rule</dt>
        <dd>{formatAnswered(total)}</dd>
        <dd>
          {tasksLastDays === 0 ? (
            `no tasks in the last ${limits.ruleFigureDays} days`
          ) : tasksLastDays >= limits.ruleFigureCount ? (
            `${formatAnswered(lastDays)} in the last ${limits.ruleFigureDays} days`
          ) : (
            <>
              {formatPercent(lastDays / tasksLastDays)} of <bdi>{bidiSafe(type)}</bdi> in the last{' '}
              {limits.ruleFigureDays} days
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Samples counted</dt>
        <dd>{formatCount(samples.answered)}</dd>
        <dd>{samples.open === 0 ? 'none open now' : `${formatCount(samples.open)} open now`}</dd>
      </div>
      <div>
        <dt>People agreed</dt>
        <dd>
          {formatCount(samples.agreed)}
          <small>of {formatCount(samples.answered)}</small>
        </dd>
        <dd>
          {samples.answered === 0 ? 'no samples counted yet' : `at least ${formatPercent(samples.atLeast)}`}
        </dd>
      </div>
      <div>
        <dt>Time saved</dt>
        <dd>
          {formatCount(Math.round(isHours ? minutes / 60 : minutes))}
          {total >= limits.ruleFigureCount && '+'}
          <small>{isHours ? 'h' : 'min'}</small>
        </dd>
        <dd>at {secondsPerTask} s per task</dd>
      </div>
    </dl>
  )
}
