import { limits } from '../../../contract/limits.ts'
import type { AnalysisInput } from './analyst.ts'
import { describeVersion } from './describe-version.ts'
import { count, formatPValue, ofHowMany, percent, plural, withInterval } from './format.ts'
import type { Naming } from './references.ts'

/**
 * What works well and should stay as it is, one line each. `hasFindings`: there is also something
 * to change.
 */
export function findStrengths(
  { figures, health }: AnalysisInput,
  name: Naming,
  hasFindings: boolean,
): string[] {
  const { current, actions, answers, negative, trend, comparisons } = figures
  const lines: string[] = []
  if (health.tooFew) return lines
  if (current?.verdict === 'better') lines.push(describeVersion(current, name))
  if (trend?.direction === 'falls')
    lines.push(
      `The current direction: negative answers fell from ${percent(trend.before.share)} to ${percent(trend.after.share)} (${formatPValue(trend.pValue)}).`,
    )
  for (const { field, candidates, ownCandidates, position } of comparisons) {
    const best = candidates[0]
    // Advice to keep what wins would contradict the finding that the sender's own candidate loses.
    if (best?.wins && !ownCandidates.some((one) => one.loses))
      lines.push(
        `${name(best.name)} in ${name(field)}: it wins ${ofHowMany(best)}; chance would be ${percent(best.expected)}.${
          !position.known && position.why === 'order-never-changed'
            ? ' The order hardly changed, which may be why.'
            : ''
        }`,
      )
  }
  if (health.isHealthy && negative.high <= limits.healthyNegativeShare)
    lines.push(
      `All answers together: ${withInterval(negative)} negative, below the limit of ${percent(limits.healthyNegativeShare)}.`,
    )
  const liked = actions.find(({ outcome, share }) => outcome === 'positive' && share >= 0.5)
  if (liked)
    lines.push(
      `${count(liked.count)} of ${plural(answers, 'answer')} (${percent(liked.share)}) are ${name(liked.title)}: do not change the behavior of the agent${hasFindings ? ' beyond the findings' : ''}.`,
    )
  return lines
}
