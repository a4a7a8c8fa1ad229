import { useMemo } from 'react'
import { limits } from '../../../contract/limits.ts'
import { medianSamplesUntilPause } from '../../../contract/rules/expected-delay.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { formatNumber, formatShortPercent } from '../../lib/numbers.ts'
import { oneIn } from './describe-rule.ts'
import styles from './rule-form.module.css'
import frameStyles from './rules-frame.module.css'

type Props = {
  sample: number
  /** Share. */
  allowed: number
  /** Matching tasks per day. undefined: not known yet. */
  perDay: number | undefined
}

/** When the rule notices that people disagree, and how many wrong answers it has given until then. */
export function IfItGoesWrong({ sample, allowed, perDay }: Props) {
  const isValid = allowed >= limits.allowedDisagreementMin && allowed <= limits.allowedDisagreementMax
  const rows = useMemo(() => (isValid ? expectedRows(allowed) : []), [allowed, isValid])
  if (!isValid) return null
  const hasRate = perDay !== undefined && perDay > 0
  return (
    <section>
      <h2>If it goes wrong</h2>
      <p className={frameStyles.summary}>
        If people get {oneIn(sample)} of the matching tasks
        {hasRate &&
          ` (about ${perDay >= 10 ? formatCount(Math.round(perDay)) : formatNumber(perDay)} per day)`}{' '}
        as samples:
      </p>
      <table className={styles.expected}>
        <thead>
          <tr>
            <th scope="col">Disagreement</th>
            <th scope="col">Pauses after</th>
            <th scope="col">Wrong answers</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, share, samples }) => (
            <tr key={label}>
              <td>{label}</td>
              <td>
                {samples === undefined
                  ? 'rarely pauses'
                  : hasRate
                    ? describeDays(samples / (perDay * sample))
                    : pluralize(samples, 'sample')}
              </td>
              <td>
                {samples === undefined
                  ? '–'
                  : formatCount(Math.round((samples / sample) * (1 - sample) * share))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.notes}>Medians from simulation.</p>
    </section>
  )
}

type Row = { label: string; share: number; samples: number | undefined }

/** Disagreements that are clearly above what is allowed. */
function expectedRows(allowed: number): Row[] {
  const shares = [Math.max(0.2, 3 * allowed), 0.1, 0.05].filter((share) => share >= 2 * allowed)
  return [
    ...shares.map((share, n) => ({
      label: `${formatShortPercent(share)}${n === 0 ? ', suddenly' : ''}`,
      share,
      samples: medianSamplesUntilPause(share, allowed, n === 0),
    })),
    { label: `${formatShortPercent(allowed)}, allowed`, share: allowed, samples: undefined },
  ]
}

function describeDays(days: number): string {
  if (days < 1) return 'less than a day'
  return pluralize(Math.round(days), 'day')
}
