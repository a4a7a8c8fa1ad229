import { Link } from '@tanstack/react-router'
import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { UntilDialog } from './until-dialog.tsx'
import { useChangeRule } from './use-rules.ts'

/** Edits, extends, pauses, resumes and ends a rule. Shown to admins while the rule has not ended. */
export function RuleButtons({ rule }: { rule: RuleDetail }) {
  const { workspaceId } = useWorkspace()
  const isAdmin = useRole().isAtLeast('admin')
  const [dialog, setDialog] = useState<'resume' | 'extend' | 'end'>()
  const pause = useChangeRule(rule.ruleId)
  const end = useChangeRule(rule.ruleId)
  const close = () => setDialog(undefined)
  if (!isAdmin || rule.state === 'ended') return null
  const { ruleId, state } = rule
  return (
    <>
      <Link className="btn" to="/w/$workspaceId/rules/$ruleId/edit" params={{ workspaceId, ruleId }}>
        Edit rule
      </Link>
      <button type="button" className="btn" onClick={() => setDialog('extend')}>
        Extend…
      </button>
      {state === 'active' ? (
        <button
          type="button"
          className="btn"
          aria-disabled={pause.isPending}
          onClick={() => pause.isPending || pause.mutate({ state: 'paused' })}
        >
          <Icon of={Pause} /> Pause
        </button>
      ) : (
        <button type="button" className="btn" onClick={() => setDialog('resume')}>
          <Icon of={Play} /> Resume…
        </button>
      )}
      <button type="button" className="btn danger" onClick={() => setDialog('end')}>
        End rule…
      </button>
      {pause.error && !dialog && (
        <ProblemStrip message="The rule wasn't paused." problem={asProblem(pause.error)} />
      )}
      {dialog === 'extend' && <UntilDialog kind="extend" rule={rule} onClose={close} />}
      {dialog === 'resume' && <UntilDialog kind="resume" rule={rule} onClose={close} />}
      {dialog === 'end' && (
        <ConfirmDialog
          title={`End ${escapeBidi(rule.name)}?`}
          description={`An ended rule never answers again and can't be resumed. Its answers and figures stay.${state === 'active' ? ' To stop it for a while, pause it.' : ''}`}
          confirmLabel="End rule"
          onConfirm={() => end.mutateAsync({ state: 'ended' })}
          onClose={close}
        />
      )}
    </>
  )
}
