import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BacktestRule } from '../../../contract/rules/rule.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { useWorkspace } from '../../lib/workspace.ts'

/** What the rule would have answered, a moment after the last change. undefined: not complete yet. */
export function useBacktest(rule: BacktestRule | undefined) {
  const { api, workspaceId } = useWorkspace()
  const body = useDebounced(JSON.stringify(rule ?? null))
  return useQuery({
    queryKey: ['backtest', workspaceId, body],
    queryFn: ({ signal }) => api.backtestRule(JSON.parse(body), signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: body !== 'null' && rule !== undefined,
  })
}
