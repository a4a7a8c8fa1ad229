import { limits } from '../../../contract/limits.ts'
import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { BeforeResuming } from './before-resuming.tsx'
import { Gauge } from './gauge.tsx'
import { RuleHistory } from './rule-history.tsx'
import { versionName } from './rule-texts.ts'
import styles from './rules-frame.module.css'

/**
 * The evidence against the rule, new versions, whose tasks it does not answer yet, its history and, for admins while
 * it is paused, what to do before they resume it.
 */
export function RuleAside({ rule }: { rule: RuleDetail }) {
  const cause = describeCause(rule)
  const notPassed = rule.newVersions.filter(({ passedAt }) => passedAt === undefined)
  return (
    <div className={styles.aside}>
      <section>
        <h2>{cause ? 'Why it paused' : 'Evidence against the rule'}</h2>
        <p className={styles.lead}>
          {cause ??
            'How strongly the samples suggest that people disagree more often than allowed. The rule pauses itself when either bar is full. Without samples, the overall evidence is 1.'}
        </p>
        <Gauge
          label="Overall evidence"
          value={rule.evidence.life}
          max={limits.ruleLifeEvidence}
          warnsWhenFull
        />
        <Gauge
          label="Recent evidence"
          value={rule.evidence.recent}
          max={limits.ruleRecentEvidence}
          warnsWhenFull
        />
      </section>
      {rule.state !== 'ended' && notPassed.length > 0 && (
        <section>
          <h2>{notPassed.length === 1 ? 'New version' : 'New versions'}</h2>
          <p className={styles.lead}>
            {notPassed.length === 1 ? 'Its' : 'Their'} tasks go to people until{' '}
            {limits.ruleNewVersionAgreements} answers in a row agree with the rule.
          </p>
          {notPassed.map(({ version, agreedInRow }) => (
            <Gauge
              key={version}
              label={`Agreements with ${versionName(version)}`}
              value={agreedInRow}
              max={limits.ruleNewVersionAgreements}
            />
          ))}
        </section>
      )}
      {rule.state === 'paused' && <BeforeResuming rule={rule} />}
      <RuleHistory history={rule.history} />
    </div>
  )
}

/** undefined: the rule did not pause because of its evidence, or its evidence has been reset since. */
function describeCause({ pausedBecause, samples }: RuleDetail): string | undefined {
  if (samples.answered === 0) return undefined
  if (pausedBecause === 'disagreement') return 'People have disagreed too often overall.'
  if (pausedBecause === 'recentChange') return 'People have disagreed too often recently.'
  return undefined
}
