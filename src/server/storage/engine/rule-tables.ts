import type { Action } from '../../../contract/action.ts'
import type { Evidence } from '../../../contract/rules/evidence.ts'
import type {
  PausedBecause,
  RuleCondition,
  RuleDisagreement,
  RuleState,
} from '../../../contract/rules/rule.ts'
import type { Json, NullableJson, WithDefault } from './column-types.ts'

/** Standing rules and what is known about them. */
export interface RuleTables {
  rules: {
    id: string
    workspaceId: string
    name: string
    app: string
    type: string
    conditions: Json<RuleCondition[]>
    versions: string[] | null
    action: Json<Pick<Action, 'id' | 'title'>>
    data: NullableJson<Record<string, unknown>>
    actionsDigest: string
    sample: number
    until: Date
    allowedDisagreement: number
    state: WithDefault<RuleState>
    pausedBecause: WithDefault<PausedBecause | null>
    pausedAt: WithDefault<Date | null>
    pausedBy: WithDefault<string | null>
    generation: WithDefault<number>
    evidence: Json<Evidence>
    answered: WithDefault<number>
    agreed: WithDefault<number>
    createdBy: string
    createdAt: WithDefault<Date>
  }
  ruleVersions: {
    workspaceId: string
    ruleId: string
    version: string
    agreedInRow: WithDefault<number>
    passedAt: WithDefault<Date | null>
    firstSeenAt: WithDefault<Date>
  }
  ruleSamples: {
    workspaceId: string
    taskId: string
    ruleId: string
    kind: 'sample' | 'newVersion'
    generation: number
    drawnAt: Date
    judgedAt: WithDefault<Date | null>
    outcome: WithDefault<RuleDisagreement['outcome'] | null>
    agrees: WithDefault<boolean | null>
  }
}
