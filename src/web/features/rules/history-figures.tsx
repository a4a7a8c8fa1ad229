import { formatCount } from '../../lib/count.ts'
import { formatNumber, formatPercent, formatShortPercent } from '../../lib/numbers.ts'
import styles from './history-figures.module.css'

type Props = {
  /** Answers of people that were looked at. */
  considered: number
  /** Of these, those to tasks that the rule would have answered. */
  covered: number
  /** Of these, those that are the same as the rule's answer. */
  agreed: number
  atLeast: number
  perDay: number
  /** "Agreement", with what it covers. */
  agreementLabel: string
}

/** What a rule would have done with past tasks. */
export function HistoryFigures({ considered, covered, agreed, atLeast, perDay, agreementLabel }: Props) {
  const coverage = considered > 0 ? covered / considered : 0
  const share = covered > 0 ? agreed / covered : 0
  return (
    <dl className={styles.figures}>
      <div>
        <dt>Would have answered</dt>
        <dd>{`${formatShortPercent(Number(coverage.toFixed(2)))} of tasks`}</dd>
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
        <dt>At least, with 95 % certainty</dt>
        <dd>{covered > 0 ? formatPercent(atLeast) : '–'}</dd>
        <div className={styles.share} aria-hidden="true">
          <i className={styles.seen} style={{ width: `${share * 100}%` }} />
          <i style={{ width: `${atLeast * 100}%` }} />
        </div>
      </div>
      <div>
        <dt>Matching tasks</dt>
        <dd>about {perDay >= 10 ? formatCount(Math.round(perDay)) : formatNumber(perDay)} per day</dd>
      </div>
    </dl>
  )
}
