import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { changeRuleBody, draftOfRule, resetsEvidence } from './rule-draft.ts'
import { RuleForm, useLeaveForm } from './rule-form.tsx'
import { RulesFrame } from './rules-frame.tsx'
import { useChangeRule, useRule } from './use-rules.ts'

export function EditRulePage() {
  const { ruleId } = useParams({ from: '/w/$workspaceId/rules/$ruleId/edit' })
  const isAdmin = useRole().isAtLeast('admin')
  const query = useRule(ruleId)
  return (
    <RulesFrame title="Edit rule" back={{ ruleId, name: query.data?.name ?? 'Rule' }}>
      <NotAllowed minRole="admin" to="change rules" />
      {isAdmin && (
        <Loaded query={query} subject="The rule">
          {(rule) => <EditRule key={rule.ruleId} current={rule} />}
        </Loaded>
      )}
    </RulesFrame>
  )
}

function EditRule({ current }: { current: RuleDetail }) {
  // Compared with the rule as it was when the form was filled, so that a later change by another
  // admin is kept.
  const [rule] = useState(current)
  const leave = useLeaveForm()
  const change = useChangeRule(rule.ruleId)
  return (
    <RuleForm
      initial={draftOfRule(rule)}
      isNew={false}
      submitLabel="Save rule"
      isPending={change.isPending}
      problem={change.error && asProblem(change.error)}
      effectOf={(draft, fields) => {
        const isReset = resetsEvidence(changeRuleBody(draft, rule, fields))
        const effect =
          rule.state === 'paused' ? 'The rule stays paused.' : 'The change takes effect for new tasks.'
        return `${effect} ${isReset ? 'The evidence is reset.' : 'The evidence is kept.'}`
      }}
      onSubmit={(_, draft, fields) => {
        const changed = changeRuleBody(draft, rule, fields)
        if (Object.keys(changed).length === 0) leave(rule.ruleId)
        else change.mutate(changed, { onSuccess: () => leave(rule.ruleId) })
      }}
      onCancel={() => leave(rule.ruleId)}
    />
  )
}
