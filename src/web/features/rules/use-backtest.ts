import { useQuery } from '@tanstack/react-query'
import type { BacktestRule } from '../../../contract/rules/rule.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { useWorkspace } from '../../lib/workspace.ts'

/**
 * Compares a rule with past answers, once its fields stop changing for a moment. `rule` is
 * undefined while it is incomplete.
 */
export function useBacktest(rule: BacktestRule | undefined) {
  const { api, workspaceId } = useWorkspace()
  const body: BacktestRule | null = JSON.parse(useDebounced(JSON.stringify(rule ?? null)))
  return useQuery({
    queryKey: ['backtest', workspaceId, body?.app, body?.type, body],
    queryFn: ({ signal }) => api.backtestRule(body!, signal),
    // Keeps the last result while the next one loads, unless it is for another app and type.
    placeholderData: (previous, query) =>
      query?.queryKey[2] === body?.app && query?.queryKey[3] === body?.type ? previous : undefined,
    staleTime: 60_000,
    enabled: body !== null && rule !== undefined,
  })
}
