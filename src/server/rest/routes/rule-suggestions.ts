import { limits } from '../../../contract/limits.ts'
import { Backtest, BacktestRule } from '../../../contract/rules/rule.ts'
import { backtestRule } from '../../domain/rules/backtest.ts'
import { defineRoute } from '../route.ts'

export const ruleSuggestionRoutes = [
  defineRoute({
    method: 'post',
    path: '/rules/backtest',
    operationId: 'backtestRule',
    who: 'member',
    role: 'admin',
    summary: `What a standing rule would have answered in the last ${limits.ruleHistoryDays} days, compared with what people answered. Changes nothing.`,
    body: BacktestRule,
    responses: { 200: Backtest },
    async handle(service, { actor, body, signal }) {
      return { status: 200, body: await backtestRule(service, actor, body, signal) }
    },
  }),
]
