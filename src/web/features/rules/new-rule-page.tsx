import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { CreateRule } from '../../../contract/rules/rule.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ListSkeleton } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { draftOfSuggestion, emptyDraft, type RuleDraft } from './rule-draft.ts'
import { RuleForm, useLeaveForm } from './rule-form.tsx'
import { parseRuleSearch } from './rule-search.ts'
import { RulesFrame } from './rules-frame.tsx'
import { useReloadRules, useSuggestions } from './use-rules.ts'

/** Creates a rule, from scratch or from a suggestion. */
export function NewRulePage() {
  const { app, type, suggestion } = parseRuleSearch(useSearch({ from: '/w/$workspaceId/rules/new' }))
  const isAdmin = useRole().isAtLeast('admin')
  const hasBoth = app !== undefined && type !== undefined
  const isFromSuggestion = isAdmin && hasBoth && suggestion !== undefined
  const suggestions = useSuggestions({ app: app ?? '', type: type ?? '' }, isFromSuggestion)
  const suggested = isFromSuggestion ? suggestions.data?.suggestions[Number(suggestion) - 1] : undefined
  return (
    <RulesFrame title="Create rule" back="rules">
      <NotAllowed minRole="admin" to="create rules" />
      {isAdmin &&
        (isFromSuggestion && suggestions.isPending ? (
          <ListSkeleton />
        ) : (
          <NewRule
            initial={
              hasBoth && suggested ? draftOfSuggestion({ app, type }, suggested) : emptyDraft({ app, type })
            }
          />
        ))}
    </RulesFrame>
  )
}

function NewRule({ initial }: { initial: RuleDraft }) {
  const { api } = useWorkspace()
  const leave = useLeaveForm()
  const reload = useReloadRules()
  const create = useMutation({
    mutationFn: (rule: CreateRule) => api.createRule(rule),
    onSuccess: async ({ ruleId }) => {
      await reload()
      leave(ruleId)
    },
  })
  return (
    <RuleForm
      initial={initial}
      isNew
      submitLabel="Create rule"
      isPending={create.isPending}
      problem={create.error && asProblem(create.error)}
      note={() => 'Takes effect for new tasks. Admins are notified if it pauses itself.'}
      onSubmit={(rule) => create.mutate(rule)}
      onCancel={() => leave()}
    />
  )
}
