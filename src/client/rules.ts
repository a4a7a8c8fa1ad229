import type { Backtest, BacktestRule } from '../contract/rules/rule.ts'
import type { Transport } from './transport.ts'

/** Standing rules. */
export function ruleCalls(request: Transport) {
  return {
    backtestRule: (input: BacktestRule, signal?: AbortSignal) =>
      request<Backtest>('/api/v1/rules/backtest', { method: 'POST', body: input, signal }),
  }
}
