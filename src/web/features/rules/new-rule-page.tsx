import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { CreateRule, RuleSuggestion } from '../../../contract/rules/rule.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { Strip } from '../../ui/strip.tsx'
import { suggestionKey } from './dismissed-suggestions.ts'
import { draftOfSuggestion, emptyDraft, type RuleDraft } from './rule-draft.ts'
import { RuleForm, useLeaveForm } from './rule-form.tsx'
import { parseRuleSearch } from './rule-search.ts'
import { RulesFrame } from './rules-frame.tsx'
import { useReloadRules, useSuggestions } from './use-rules.ts'

/** Creates a rule, from scratch or from a suggestion. */
export function NewRulePage() {
  const { app, type, suggestion } = parseRuleSearch(useSearch({ from: '/w/$workspaceId/rules/new' }))
  const isAdmin = useRole().isAtLeast('admin')
  const appAndType = { app: app ?? '', type: type ?? '' }
  const isFromSuggestion = isAdmin && app !== undefined && type !== undefined && suggestion !== undefined
  const query = useSuggestions(appAndType, isFromSuggestion)
  return (
    <RulesFrame title="Create rule" back="rules">
      <NotAllowed minRole="admin" to="create rules" />
      {isAdmin &&
        (isFromSuggestion ? (
          <Loaded query={query} subject="The suggestion">
            {({ suggestions }) => (
              <FromSuggestion appAndType={appAndType} suggestions={suggestions} chosenKey={suggestion} />
            )}
          </Loaded>
        ) : (
          <NewRule initial={emptyDraft({ app, type })} />
        ))}
    </RulesFrame>
  )
}

type FromSuggestionProps = { appAndType: AppAndType; suggestions: RuleSuggestion[]; chosenKey: string }

function FromSuggestion({ appAndType, suggestions, chosenKey }: FromSuggestionProps) {
  // Chosen only once, so that a later list of suggestions does not change the form.
  const [chosen] = useState(() => suggestions.find((one) => suggestionKey(appAndType, one) === chosenKey))
  if (chosen) return <NewRule initial={draftOfSuggestion(appAndType, chosen)} />
  return (
    <>
      <Strip tone="warn">This suggestion no longer exists. You can create a rule from scratch.</Strip>
      <NewRule initial={emptyDraft(appAndType)} />
    </>
  )
}

function NewRule({ initial }: { initial: RuleDraft }) {
  const { api } = useWorkspace()
  const leave = useLeaveForm()
  const reload = useReloadRules()
  const create = useMutation({
    mutationFn: (rule: CreateRule) => api.createRule(rule),
    onSuccess: reload,
  })
  return (
    <RuleForm
      initial={initial}
      isNew
      submitLabel="Create rule"
      isPending={create.isPending}
      problem={create.error && asProblem(create.error)}
      effectOf={() => 'Takes effect for new tasks.'}
      // `onSuccess` is not called once the person has left this page.
      onSubmit={(rule) => create.mutate(rule, { onSuccess: ({ ruleId }) => leave(ruleId) })}
      onCancel={() => leave()}
    />
  )
}
