import { useId, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import type { Rule } from '../../../contract/rules/rule.ts'
import { localDay } from '../../lib/days.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialogFooter } from '../../ui/form-dialog-footer.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { endOfDay, lastDay } from './until.ts'
import { useChangeRule } from './use-rules.ts'

const texts = {
  extend: {
    title: (name: string) => `Extend ${name}`,
    label: 'Extend rule',
    description: `The new end can be at most ${limits.ruleDays} days ahead, so that an admin looks at the rule again by then. Evidence is kept.`,
    failure: "The rule wasn't extended.",
  },
  resume: {
    title: (name: string) => `Resume ${name}?`,
    label: 'Resume rule',
    description: `The rule answers new tasks again. Its evidence is reset: earlier disagreements no longer count against it. If agents now send other actions than before, tasks go to people until ${limits.ruleNewVersionAgreements} answers in a row agree with the rule.`,
    failure: "The rule wasn't resumed.",
  },
}

type Props = { kind: keyof typeof texts; rule: Rule; onClose: () => void }

/**
 * Moves the end of a rule, or resumes the rule. Resuming it asks for a new end only if the current
 * one has passed.
 */
export function UntilDialog({ kind, rule, onClose }: Props) {
  const formId = useId()
  const isOver = Date.parse(rule.until) <= Date.now()
  const asksForDay = kind === 'extend' || isOver
  const [day, setDay] = useState(lastDay())
  const change = useChangeRule(rule.ruleId)
  const problem = change.error && asProblem(change.error)
  const { title, label, description, failure } = texts[kind]
  const until = asksForDay ? endOfDay(day) : undefined
  const save = () =>
    change.mutate(
      { ...(until && { until }), ...(kind === 'resume' && { state: 'active' }) },
      { onSuccess: onClose },
    )
  return (
    <Dialog
      title={title(escapeBidi(rule.name))}
      description={
        kind === 'extend' && rule.state === 'paused' ? `${description} The rule stays paused.` : description
      }
      onClose={onClose}
      footer={
        <FormDialogFooter
          formId={formId}
          submitLabel={label}
          isPending={change.isPending}
          onClose={onClose}
        />
      }
    >
      <form id={formId} className="stack wide-gap" onSubmit={submitHandler(change, save)}>
        <FormProblem message={failure} problem={problem} fields={asksForDay ? ['until'] : []} />
        {asksForDay && (
          <TextField
            label="Until"
            type="date"
            min={localDay(isOver ? Date.now() : rule.until)}
            max={lastDay()}
            value={day}
            onChange={({ target }) => setDay(target.value)}
            help={`At most ${limits.ruleDays} days ahead.`}
            error={fieldError(problem, 'until')}
            required
          />
        )}
      </form>
    </Dialog>
  )
}
