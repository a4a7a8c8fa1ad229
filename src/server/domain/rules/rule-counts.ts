import type { RuleCount } from '../../lib/metrics.ts'
import type { Database } from '../../storage/engine/database.ts'
import { countRulesByState } from '../../storage/rules/count-rules.ts'

/** How many rules are active or paused, by workspace and state, for metrics. */
export function readRuleCounts(database: Database): Promise<RuleCount[]> {
  return countRulesByState(database)
}
