import { limits } from '../../../contract/limits.ts'
import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { BeforeResuming } from './before-resuming.tsx'
import { Gauge } from './gauge.tsx'
import { RuleHistory } from './rule-history.tsx'
import { versionName } from './rule-texts.ts'
import styles from './rules-frame.module.css'

/**
 * The evidence against the rule, versions it does not answer yet, its history and, for admins, what
 * to do before it is resumed.
 */
export function RuleAside({ rule }: { rule: RuleDetail }) {
  const cause = describeCause(rule)
  const waiting = rule.newVersions.filter(({ passedAt }) => passedAt === undefined)
  return (
    <div className={styles.aside}>
      <section>
        <h2>{cause ? 'Why it paused' : 'Evidence against it'}</h2>
        <p className={styles.lead}>
          {cause ?? 'A rule pauses itself when either bar is full. The first one starts at 1.'}
        </p>
        <Gauge label="Overall disagreement" value={rule.evidence.life} max={limits.ruleLifeEvidence} isBad />
        <Gauge
          label="Recent disagreement"
          value={rule.evidence.recent}
          max={limits.ruleRecentEvidence}
          isBad
        />
      </section>
      {rule.state !== 'ended' && waiting.length > 0 && (
        <section>
          <h2>{waiting.length === 1 ? 'New version' : 'New versions'}</h2>
          <p className={styles.lead}>
            {waiting.length === 1 ? 'Its' : 'Their'} tasks go to people until {limits.ruleProbation} answers
            in a row agree.
          </p>
          {waiting.map(({ version, agreedInRow }) => (
            <Gauge
              key={version}
              label={`Agreements with ${versionName(version)}`}
              value={agreedInRow}
              max={limits.ruleProbation}
            />
          ))}
        </section>
      )}
      {rule.state === 'paused' && <BeforeResuming rule={rule} />}
      <RuleHistory history={rule.history} />
    </div>
  )
}

/** undefined: the rule did not pause because of its evidence, or the evidence was reset since. */
function describeCause({ pausedBecause, samples }: RuleDetail): string | undefined {
  if (samples.answered === 0) return undefined
  if (pausedBecause === 'disagreement') return 'People have disagreed too often overall.'
  if (pausedBecause === 'recentChange') return 'People have disagreed too often recently.'
  return undefined
}
