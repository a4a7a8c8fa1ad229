import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import type { ChangeRule } from '../../../contract/rules/rule.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { addDays, startOfDay, today } from '../../lib/days.ts'
import { useWorkspace } from '../../lib/workspace.ts'

/** The rules of the workspace. Of very many, the service leaves out the oldest ended ones. */
export function useRules() {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: ['rules', workspaceId],
    queryFn: async ({ signal }) => (await api.rules(signal)).rules,
    refetchOnWindowFocus: true,
  })
}

export function useRule(ruleId: string) {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: ['rules', workspaceId, ruleId],
    queryFn: ({ signal }) => api.rule(ruleId, signal),
    refetchOnWindowFocus: true,
  })
}

export function useChangeRule(ruleId: string) {
  const { api } = useWorkspace()
  const reload = useReloadRules()
  return useMutation({
    mutationFn: (change: ChangeRule) => api.changeRule(ruleId, change),
    // Also after a failure, because another admin may have paused or ended the rule.
    onSettled: reload,
  })
}

export function useReloadRules() {
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['rules', workspaceId] })
}

const staleMilliseconds = 60_000

/**
 * The apps and types with answers of people in the period that suggestions and backtests read,
 * those with the most answers first.
 */
export function useAnsweredAppsAndTypes(isNeeded = true) {
  const { api, workspaceId } = useWorkspace()
  const to = today()
  const query = { from: startOfDay(addDays(to, 1 - limits.ruleHistoryDays)), to: startOfDay(to) }
  return useQuery({
    queryKey: ['statistics', workspaceId, query],
    queryFn: ({ signal }) => api.statistics(query, signal),
    select: ({ pairs }) =>
      pairs.filter(({ answers }) => answers > 0).sort((one, other) => other.answers - one.answers),
    staleTime: staleMilliseconds,
    enabled: isNeeded,
  })
}

/**
 * Suggested rules for an app and type. They are kept for ten minutes, because the service reads
 * many answers to find them.
 */
export function useSuggestions({ app, type }: AppAndType, isNeeded = true) {
  const { api, workspaceId } = useWorkspace()
  return useQuery({
    queryKey: ['rule-suggestions', workspaceId, app, type],
    queryFn: ({ signal }) => api.ruleSuggestions({ app, type }, signal),
    staleTime: 10 * staleMilliseconds,
    enabled: isNeeded,
  })
}
