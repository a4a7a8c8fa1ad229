import { limits } from '../../../contract/limits.ts'
import type { Rule } from '../../../contract/rules/rule.ts'
import { formatCount } from '../../lib/count.ts'
import { formatPercent, formatShortPercent } from '../../lib/numbers.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Whisker } from '../../ui/whisker.tsx'
import { notPassedVersion, shownState } from './rule-state.tsx'
import styles from './rules-table.module.css'

const fewSamples = 10

/** The share of samples that agreed, with its lower bound and a line at the lowest share that is allowed. */
export function RuleAgreement({ rule }: { rule: Rule }) {
  const { samples, allowedDisagreement } = rule
  const { answered, agreed, atLeast } = samples
  const share = agreed / answered
  return (
    <>
      {answered > 0 && (
        <Whisker
          value={share}
          low={atLeast}
          high={1}
          // The axis is five times as long as the allowed disagreement (at most 0.2), so that the line
          // is at the same place for every rule.
          min={1 - 5 * allowedDisagreement}
          max={1}
          referenceLine={1 - allowedDisagreement}
          tone={toneOf(rule)}
          label={`${formatPercent(share)} agreed, at least ${formatPercent(atLeast)}; lowest allowed: ${formatShortPercent(1 - allowedDisagreement)}`}
        />
      )}
      <AgreementText rule={rule} />
    </>
  )
}

function toneOf(rule: Rule): 'few' | 'accent' | undefined {
  const state = shownState(rule)
  if (rule.samples.answered < fewSamples || state === 'newVersion') return 'few'
  return state === 'active' ? 'accent' : undefined
}

function AgreementText({ rule }: { rule: Rule }) {
  const { answered, agreed, atLeast } = rule.samples
  const version = shownState(rule) === 'newVersion' && notPassedVersion(rule)
  if (version)
    return (
      <p>
        <bdi>{bidiSafe(version.version || 'Tasks without a version')}</bdi>: {version.agreedInRow} of{' '}
        {limits.ruleNewVersionAgreements} agreements in a row
      </p>
    )
  if (answered === 0) return <p>No samples counted yet</p>
  if (rule.state === 'paused' && agreed < answered)
    return (
      <p className={styles.differs}>
        {formatCount(answered - agreed)} of {formatCount(answered)} samples disagreed
      </p>
    )
  return (
    <p>
      {formatCount(agreed)} of {formatCount(answered)}
      {rule.state === 'active' && `, at least ${formatPercent(atLeast)}`}
    </p>
  )
}
