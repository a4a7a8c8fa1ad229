import type {
  Backtest,
  BacktestRule,
  ChangeRule,
  CreateRule,
  ListRuleSuggestions,
  Rule,
  RuleDetail,
  RuleSuggestions,
  Rules,
  RulesPaused,
} from '../contract/rules/rule.ts'
import type { Transport } from './transport.ts'

/** Standing rules, which answer tasks of an app and type. */
export function ruleCalls(request: Transport) {
  const rule = (ruleId: string) => `/api/v1/rules/${encodeURIComponent(ruleId)}`

  return {
    rules: (signal?: AbortSignal) => request<Rules>('/api/v1/rules', { signal }),
    rule: (ruleId: string, signal?: AbortSignal) => request<RuleDetail>(rule(ruleId), { signal }),
    createRule: (input: CreateRule) => request<Rule>('/api/v1/rules', { method: 'POST', body: input }),
    changeRule: (ruleId: string, input: ChangeRule) =>
      request<Rule>(rule(ruleId), { method: 'PATCH', body: input }),
    pauseAllRules: () => request<RulesPaused>('/api/v1/rules/pause-all', { method: 'POST', body: {} }),
    backtestRule: (input: BacktestRule, signal?: AbortSignal) =>
      request<Backtest>('/api/v1/rules/backtest', { method: 'POST', body: input, signal }),
    ruleSuggestions: (query: ListRuleSuggestions, signal?: AbortSignal) =>
      request<RuleSuggestions>('/api/v1/rules/suggestions', { query, signal }),
  }
}
