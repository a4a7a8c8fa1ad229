import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AnalysisRun, Inconclusive as CausePair } from '../../../../contract/feedback-analysis.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { DoubleReview } from './double-review.tsx'
import styles from './inconclusive.module.css'

type Remedy = CausePair['remedies'][number]

const bothVersionsText =
  'For one week, run the previous version and the current version of this agent side by side. Pick one of the two at random for each task, each with the same probability, and send its name as `version` with the task.'
const blindText =
  'In `context.ui`, set `"ui:options": { "blind": true }` on the field with `"ui:widget": "compare"`. Handrail then shows the candidates in a random order and hides their names until the person has answered.'

/** Pairs of causes that the answers can't tell apart, and what would tell them apart. */
export function Inconclusive({ run, causePairs }: { run: AnalysisRun; causePairs: CausePair[] }) {
  const has = (remedy: Remedy) => causePairs.some(({ remedies }) => remedies.includes(remedy))
  return (
    <section className={styles.box} aria-label="What the answers can't tell apart">
      <div>
        {causePairs.map(({ title, text }) => (
          <div key={title} className={styles.cause}>
            <h3>The answers can't tell apart: {bidiSafe(title.charAt(0).toLowerCase() + title.slice(1))}</h3>
            <p>{bidiSafe(text)}</p>
          </div>
        ))}
      </div>
      <ul aria-label="What would tell them apart">
        {has('double-review') && <DoubleReview run={run} />}
        {has('both-versions') && (
          <CopiedRemedy title="Run both versions for a week" text={bothVersionsText}>
            Your agent picks one at random for each task and sends it as <code>version</code>.
          </CopiedRemedy>
        )}
        {has('blind') && (
          <CopiedRemedy title="Randomize the order" text={blindText}>
            Your agent sends the comparison with <code>blind</code>. Handrail shuffles the candidates and
            hides their names.
          </CopiedRemedy>
        )}
      </ul>
    </section>
  )
}

/** A remedy that needs a change of the agent, with instructions to copy. */
function CopiedRemedy({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className={styles.remedy}>
      <div>
        <b>{title}</b>
        <p>{children}</p>
      </div>
      <CopyButton className="btn small" confirmation="text" text={() => text}>
        <Icon of={Copy} />
        Copy<span className="sr-only"> for your coding agent: {title}</span>
      </CopyButton>
    </li>
  )
}
