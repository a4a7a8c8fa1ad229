import { limits } from '../../../contract/limits.ts'
import { Backtest, BacktestRule, ListRuleSuggestions, RuleSuggestions } from '../../../contract/rules/rule.ts'
import { backtestRule } from '../../domain/rules/backtest.ts'
import { suggestRules } from '../../domain/rules/suggest-rules.ts'
import { defineRoute } from '../route.ts'

export const ruleSuggestionRoutes = [
  defineRoute({
    method: 'post',
    path: '/rules/backtest',
    operationId: 'backtestRule',
    who: 'member',
    role: 'admin',
    summary: `Compare what a standing rule would have answered in the last ${limits.ruleHistoryDays} days with what people answered. Changes nothing.`,
    body: BacktestRule,
    responses: { 200: Backtest },
    async handle(service, { actor, body, signal }) {
      return { status: 200, body: await backtestRule(service, actor, body, signal) }
    },
  }),
  defineRoute({
    method: 'get',
    path: '/rules/suggestions',
    operationId: 'ruleSuggestions',
    who: 'member',
    role: 'admin',
    summary: `Suggest standing rules that people would have agreed with, found in their answers of the last ${limits.ruleHistoryDays} days. Each suggestion was judged on newer answers than those it was found in.`,
    query: ListRuleSuggestions,
    responses: { 200: RuleSuggestions },
    async handle(service, { actor, query, signal }) {
      return { status: 200, body: await suggestRules(service, actor, query, signal) }
    },
  }),
]
