import type { RuleCount } from '../../lib/metrics.ts'
import type { Database } from '../../storage/engine/database.ts'
import { countRulesByState } from '../../storage/rules/count-rules.ts'

/** The numbers of active and of paused rules, by workspace, for metrics. */
export function readRuleCounts(database: Database): Promise<RuleCount[]> {
  return countRulesByState(database)
}
