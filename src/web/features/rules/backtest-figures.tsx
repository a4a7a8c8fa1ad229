import { formatCount } from '../../lib/count.ts'
import { formatPercent, formatShortPercent } from '../../lib/numbers.ts'
import styles from './backtest-figures.module.css'
import { formatPerDay } from './rule-texts.ts'

type Props = {
  /** Answers of people to past tasks that were checked against the conditions. */
  considered: number
  /** Of the considered answers, those to tasks that the rule would have answered. */
  covered: number
  /** Of the covered answers, those that are the same as the rule's answer. */
  agreed: number
  /** Lower bound of the share of covered answers that agree. */
  atLeast: number
  /** How many tasks per day the rule would have answered. */
  perDay: number
  /** Says which answers `agreed` counts. */
  agreementLabel: string
}

/** What a rule would have done with past tasks. */
export function BacktestFigures({ considered, covered, agreed, atLeast, perDay, agreementLabel }: Props) {
  const coverage = considered > 0 ? covered / considered : 0
  const share = covered > 0 ? agreed / covered : 0
  return (
    <dl className={styles.figures}>
      <div>
        <dt>Would have answered</dt>
        <dd>{`${formatShortPercent(coverage)} of tasks`}</dd>
        <div className={styles.share} aria-hidden="true">
          <i style={{ width: `${coverage * 100}%` }} />
        </div>
      </div>
      <div>
        <dt>{agreementLabel}</dt>
        <dd>
          {formatCount(agreed)} of {formatCount(covered)}
        </dd>
      </div>
      <div>
        <dt>Agreement is at least (95 % confidence)</dt>
        <dd>{covered > 0 ? formatPercent(atLeast) : '–'}</dd>
        <div className={styles.share} aria-hidden="true">
          <i className={styles.observed} style={{ width: `${share * 100}%` }} />
          <i style={{ width: `${atLeast * 100}%` }} />
        </div>
      </div>
      <div>
        <dt>Matching tasks</dt>
        <dd>{formatPerDay(perDay)}</dd>
      </div>
    </dl>
  )
}
