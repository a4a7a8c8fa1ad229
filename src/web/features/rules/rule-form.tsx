import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { limits } from '../../../contract/limits.ts'
import type { CreateRule } from '../../../contract/rules/rule.ts'
import { classes } from '../../lib/classes.ts'
import { useAnnounceAfterPause } from '../../lib/use-announce-after-pause.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import type { FormHandle } from '../../parts/form/schema-form.tsx'
import { SettingRow } from '../../ui/setting-row.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AnswerFields } from './answer-fields.tsx'
import { AppAndTypeFields } from './app-and-type-fields.tsx'
import { BacktestPanel } from './backtest-panel.tsx'
import { checkDraft } from './check-draft.ts'
import { ConditionFields } from './condition-fields.tsx'
import { type ContextField, contextFields } from './context-fields.ts'
import { describeRule, plainText, type SummaryPart } from './describe-rule.ts'
import { ExpectedDelay } from './expected-delay.tsx'
import { LimitFields } from './limit-fields.tsx'
import { createRuleBody, type RuleDraft } from './rule-draft.ts'
import styles from './rule-form.module.css'
import { RuleSummary } from './rule-summary.tsx'
import frameStyles from './rules-frame.module.css'
import { useBacktest } from './use-backtest.ts'
import { useNewestTask } from './use-newest-task.ts'

type Props = {
  initial: RuleDraft
  /** The app and type of a new rule can be chosen. */
  isNew: boolean
  submitLabel: string
  isPending: boolean
  problem: HandrailProblem | null
  /** Says when the rule takes effect and what becomes of its evidence. Shown beside the buttons. */
  effectOf: (draft: RuleDraft, fields: ContextField[]) => ReactNode
  onSubmit: (rule: CreateRule, draft: RuleDraft, fields: ContextField[]) => void
  onCancel: () => void
}

/**
 * Creates or edits a rule. The box above the fields says what the rule will do, and the panel
 * beside them what it would have done in the past.
 */
export function RuleForm({
  initial,
  isNew,
  submitLabel,
  isPending,
  problem,
  effectOf,
  onSubmit,
  onCancel,
}: Props) {
  const [draft, setDraft] = useState(initial)
  const [hasTried, setTried] = useState(false)
  const [isChecking, setChecking] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const form = useRef<FormHandle>(null)
  const task = useNewestTask(draft)
  const isLoading = draft.type !== '' && task.data === undefined
  const fields = contextFields(task.data?.context?.data)
  const rule = createRuleBody(draft, fields)
  const mistakes = checkDraft(draft)
  const toCompare = backtestOf(rule, mistakes)
  const backtest = useBacktest(toCompare)
  const pastAnswers = toCompare && backtest.data
  const errorOf = (path: string) =>
    (hasTried ? mistakes[path] : undefined) ??
    problem?.errors.find((error) => error.path === path || isItem(error.path, path))?.message
  const change = (changed: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...changed }))

  const title = task.data?.actions?.find(({ id }) => id === draft.actionId)?.title ?? draft.actionId
  const summary = summarize(rule, title, mistakes)
  useAnnounceAfterPause(plainText(summary))

  async function submit() {
    if (isPending || isChecking) return
    setTried(true)
    if (Object.keys(mistakes).length > 0) return focusFirstError(box.current)
    // The context of the newest task says whether a typed 123 is a number or a text.
    if (isLoading) return
    setChecking(true)
    try {
      const checked = await form.current?.check()
      if (checked && checked.errors.length > 0) form.current?.showErrors(checked.errors)
      else onSubmit(rule, draft, fields)
    } finally {
      setChecking(false)
    }
  }

  return (
    <div className={frameStyles.columns}>
      <div className={styles.form} ref={box}>
        <RuleSummary parts={summary} />
        <SettingRow title="Name">
          <TextField
            label="Name"
            hidesLabel
            value={draft.name}
            maxLength={limits.ruleName}
            placeholder="Small refunds"
            autoComplete="off"
            onChange={({ target }) => change({ name: target.value })}
            error={errorOf('name')}
          />
        </SettingRow>
        {isNew && (
          <AppAndTypeFields
            app={draft.app}
            type={draft.type}
            error={errorOf('type') ?? errorOf('app')}
            onChange={(appAndType) => change({ ...appAndType, actionId: '', data: {} })}
          />
        )}
        <ConditionFields
          when={draft.when}
          fields={fields}
          errorOf={errorOf}
          onChange={(when) => change({ when })}
        />
        <AnswerFields
          key={`${draft.app}\n${draft.type}`}
          draft={draft}
          query={task}
          error={errorOf('answer.actionId') ?? errorOf('answer')}
          formErrors={formErrors(problem)}
          form={form}
          onChange={change}
        />
        <LimitFields draft={draft} backtest={pastAnswers} errorOf={errorOf} onChange={change} />
        <div className={styles.foot}>
          <Problem problem={problem} />
          <button
            type="button"
            className="btn primary"
            aria-disabled={isPending || isChecking || isLoading}
            onClick={() => void submit()}
          >
            {submitLabel}
          </button>
          <button type="button" className="btn" onClick={onCancel}>
            Cancel
          </button>
          <p>{effectOf(draft, fields)}</p>
        </div>
      </div>
      <div className={classes(frameStyles.aside, styles.aside)}>
        <BacktestPanel query={backtest} isReady={toCompare !== undefined} />
        <ExpectedDelay
          sample={draft.sample}
          allowed={Number(draft.allowed) / 100}
          perDay={pastAnswers?.perDay}
        />
      </div>
    </div>
  )
}

/** What the rule would do, as far as it is complete. */
function summarize(rule: CreateRule, actionTitle: string, mistakes: Record<string, string>): SummaryPart[] {
  return describeRule({
    ...rule,
    app: rule.app || '…',
    type: rule.type || '…',
    when: (rule.when ?? []).filter(({ field }, n) => field !== '' && !mistakes[`when[${n}].value`]),
    answer: { actionId: rule.answer.actionId, actionTitle: actionTitle || '…' },
    sample: rule.sample ?? limits.ruleSampleDefault,
    until: rule.until || undefined,
  })
}

/** The parts of a rule that past answers are compared with. undefined: one of them is missing or wrong. */
function backtestOf({ app, type, when, versions, answer }: CreateRule, mistakes: Record<string, string>) {
  const isIncomplete = Object.keys(mistakes).some((path) => /^(type|when|answer)/.test(path))
  return isIncomplete ? undefined : { app, type, when, answer, ...(versions && { versions }) }
}

/** Whether an error is about an item of a list that is entered in one field, such as versions[2]. */
function isItem(path: string, field: string): boolean {
  return (field === 'versions' || field.endsWith('.value')) && path.startsWith(`${field}[`)
}

const formPrefix = 'answer.data.'

/** Errors of the fields of the action's form, by their path inside it. */
function formErrors(problem: HandrailProblem | null) {
  const errors = problem?.errors.filter(({ path }) => path.startsWith(formPrefix)) ?? []
  return errors.length === 0
    ? undefined
    : errors.map(({ path, message }) => ({ path: path.slice(formPrefix.length), message }))
}

// Errors with these paths are shown at their fields.
const shownPaths =
  /^(name|app|type|when|answer|answer\.actionId|answer\.data\..+|sample|until|allowedDisagreement|versions(\[\d+\])?|when\[\d+\].*)$/

/** Says that the rule was not saved, and the errors that belong to no field. */
function Problem({ problem }: { problem: HandrailProblem | null }) {
  if (!problem) return null
  const message = "The rule wasn't saved."
  if (problem.errors.length === 0) return <ProblemStrip message={message} problem={problem} />
  const others = problem.errors.filter(({ path }) => !shownPaths.test(path))
  return (
    <Strip tone="neg">
      {message} {others.length > 0 ? others.map((error) => error.message).join(' ') : 'See the fields above.'}
    </Strip>
  )
}

/** Waits for the next frame, because the errors must be rendered first. */
function focusFirstError(box: HTMLElement | null) {
  requestAnimationFrame(() => box?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

/** Returns a function that opens a rule or, without its id, the list of rules. */
export function useLeaveForm() {
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  return (ruleId?: string) =>
    void (ruleId
      ? navigate({ to: '/w/$workspaceId/rules/$ruleId', params: { workspaceId, ruleId } })
      : navigate({ to: '/w/$workspaceId/rules', params: { workspaceId } }))
}
