import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { useId, useState } from 'react'
import type { RuleSuggestion } from '../../../contract/rules/rule.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { BacktestFigures } from './backtest-figures.tsx'
import { PastDisagreements } from './past-disagreements.tsx'
import { formatFieldValue, shorten } from './rule-texts.ts'
import styles from './suggestion-card.module.css'

type Props = {
  appAndType: AppAndType
  suggestion: RuleSuggestion
  suggestionKey: string
  onDismiss: () => void
}

/** "reason: Damaged, notify: true" */
function describeData(data: Record<string, unknown>): string {
  const fields = Object.entries(data).map(([field, value]) => `${field}: ${formatFieldValue(value)}`)
  return shorten(fields.join(', '))
}

export function SuggestionCard({ appAndType, suggestion, suggestionKey, onDismiss }: Props) {
  const { workspaceId } = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { name, answer, agreed, covered, considered, atLeast, perDay, disagreements } = suggestion
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div>
        <p className={styles.kind}>
          <Icon of={ShieldCheck} />
          Suggested from your answers
          <bdi>
            {bidiSafe(appAndType.app)} / {bidiSafe(appAndType.type)}
          </bdi>
        </p>
        <h2 id={id}>
          <bdi>{bidiSafe(name)}</bdi>
        </h2>
        <p className={styles.prose}>
          People answered “<bdi>{bidiSafe(answer.actionTitle)}</bdi>”
          {answer.data && (
            <>
              {' '}
              (<bdi>{bidiSafe(describeData(answer.data))}</bdi>)
            </>
          )}{' '}
          to {formatCount(agreed)} of the last {formatCount(covered)} matching tasks. A rule would answer such
          tasks immediately. To check the rule, a share of them would still go to people.
        </p>
        <div className={styles.buttons}>
          <Link
            className="btn primary"
            to="/w/$workspaceId/rules/new"
            params={{ workspaceId }}
            search={{ ...appAndType, suggestion: suggestionKey }}
          >
            Review and create
          </Link>
          {disagreements.length > 0 && (
            <button
              type="button"
              className="btn"
              aria-expanded={isOpen}
              aria-controls={`${id}-list`}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide' : 'See'} {pluralize(disagreements.length, 'disagreement')}
            </button>
          )}
          <button type="button" className="btn quiet" onClick={onDismiss}>
            Dismiss
          </button>
        </div>
        {isOpen && <PastDisagreements id={`${id}-list`} tasks={disagreements} />}
      </div>
      <div>
        <BacktestFigures
          considered={considered}
          covered={covered}
          agreed={agreed}
          atLeast={atLeast}
          perDay={perDay}
          agreementLabel="Agreement, newest third of answers"
        />
      </div>
    </section>
  )
}
