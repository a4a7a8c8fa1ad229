import { useId, useState } from 'react'
import type { Outcome } from '../../../contract/action.ts'
import type { CountedAction } from '../../../contract/action-outcome.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { classes } from '../../lib/classes.ts'
import { pluralize } from '../../lib/count.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import choiceStyles from '../../ui/choice-group.module.css'
import { ProblemStrip } from '../../ui/strip.tsx'
import styles from './action-outcomes.module.css'
import { useActionOutcomes } from './use-action-outcomes.ts'

const outcomes: readonly (readonly [Outcome, string])[] = [
  ['positive', 'Positive'],
  ['neutral', 'Neutral'],
  ['negative', 'Negative'],
]

/** The outcomes of the actions of an app and type that their sender does not declare. Admins can set them. */
export function ActionOutcomes({ app, type, actions: counted }: AppAndType & { actions: CountedAction[] }) {
  const canSet = useRole().isAtLeast('admin')
  const { actions, save } = useActionOutcomes({ app, type }, counted)
  // An action that was just set stays in its list, so that the choice does not disappear.
  const [justSet, setJustSet] = useState<string[]>([])
  const unclear = actions.filter(({ actionId, source }) => source === 'unknown' || justSet.includes(actionId))
  const others = actions.filter(
    (action) => (action.source === 'inferred' || action.source === 'workspace') && !unclear.includes(action),
  )
  if (unclear.length + others.length === 0) return null

  const list = (listed: CountedAction[], onSet?: (actionId: string) => void) => (
    <ul className={styles.list}>
      {listed.map((action) => (
        <li key={action.actionId}>
          <ActionOutcome
            action={action}
            onChoose={
              canSet
                ? (outcome) => {
                    onSet?.(action.actionId)
                    save.mutate({ actionId: action.actionId, outcome })
                  }
                : undefined
            }
          />
        </li>
      ))}
    </ul>
  )

  return (
    <section aria-label="What actions mean">
      <h3>What actions mean</h3>
      {unclear.length > 0 && (
        <>
          <p className={styles.intro}>
            The names of these actions don't say whether they're good or bad, so their answers count as
            neutral until {canSet ? 'you set' : 'an admin sets'} what they mean. The numbers are those of the
            last 30 days.
          </p>
          {list(unclear, (actionId) => setJustSet((ids) => [...ids, actionId]))}
        </>
      )}
      {others.length > 0 && (
        <details className={styles.others}>
          <summary>{canSet ? 'Change what other actions mean' : 'What other actions mean'}</summary>
          {list(others)}
        </details>
      )}
      {save.error && (
        <ProblemStrip message="The meaning couldn't be saved." problem={asProblem(save.error)} />
      )}
      <p className={styles.intro} role="status">
        {save.isSuccess &&
          'Saved. Statistics use the new meaning immediately, and so will the next analysis.'}
      </p>
    </section>
  )
}

type ActionOutcomeProps = { action: CountedAction; onChoose: ((outcome: Outcome) => void) | undefined }

function ActionOutcome({ action: { title, count, outcome, source }, onChoose }: ActionOutcomeProps) {
  const name = useId()
  const label = (
    <>
      <bdi className={styles.title}>{bidiSafe(title)}</bdi>{' '}
      <span className={styles.count}>{pluralize(count, 'answer')}</span>
    </>
  )
  if (!onChoose)
    return (
      <p className={styles.row}>
        <span className={styles.name}>{label}</span>{' '}
        <span>{outcomes.find(([id]) => id === outcome)?.[1]}</span>
      </p>
    )
  return (
    <fieldset className={styles.row}>
      <legend className={styles.name}>{label}</legend>
      <div className={classes(choiceStyles.opts, choiceStyles.plain, styles.choices)}>
        {outcomes.map(([option, text]) => (
          <label className={choiceStyles.optRow} key={option}>
            <input
              type="radio"
              name={name}
              // Unknown: nothing is chosen, so that "Neutral" can be chosen too.
              checked={source !== 'unknown' && option === outcome}
              onChange={() => onChoose(option)}
            />
            <bdi>{text}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
