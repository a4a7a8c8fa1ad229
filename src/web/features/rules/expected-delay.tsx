import { useMemo } from 'react'
import { limits } from '../../../contract/limits.ts'
import { goodSamples, medianSamplesUntilPause } from '../../../contract/rules/expected-delay.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { formatShortPercent } from '../../lib/numbers.ts'
import { oneIn } from './describe-rule.ts'
import styles from './rule-form.module.css'
import { formatPerDay } from './rule-texts.ts'
import frameStyles from './rules-frame.module.css'

type Props = {
  sample: number
  /** Allowed disagreement, as a share. */
  allowed: number
  /** Matching tasks per day. undefined: not known yet. */
  perDay: number | undefined
}

/** When the rule pauses if people disagree, and how many wrong answers it has given by then. */
export function ExpectedDelay({ sample, allowed, perDay }: Props) {
  const isValid = allowed >= limits.allowedDisagreementMin && allowed <= limits.allowedDisagreementMax
  const rows = useMemo(() => (isValid ? expectedRows(allowed) : []), [allowed, isValid])
  if (!isValid) return null
  const hasRate = perDay !== undefined && perDay > 0
  return (
    <section>
      <h2>If people disagree</h2>
      <p className={frameStyles.lead}>
        Of the matching tasks{hasRate && ` (${formatPerDay(perDay)})`}, people get {oneIn(sample)} as a
        sample. The more often they disagree, the sooner the rule pauses:
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
                  ? 'rarely'
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
      <p className={styles.notes}>
        Medians from a simulation. “Suddenly” means after {formatCount(goodSamples)} samples with half the
        allowed disagreement.
      </p>
    </section>
  )
}

/** `samples`: after how many samples the rule pauses. undefined: it rarely or never pauses. */
type Row = { label: string; share: number; samples: number | undefined }

/** Shares of disagreement that are at least twice the allowed share, and the allowed share itself. */
function expectedRows(allowed: number): Row[] {
  const shares = [Math.max(0.2, 3 * allowed), 0.1, 0.05].filter((share) => share >= 2 * allowed)
  return [
    ...shares.map((share, n) => ({
      label: `${formatShortPercent(share)}${n === 0 ? ', suddenly' : ', from the start'}`,
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
