import type { ReactNode } from 'react'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import type { SummaryPart } from './describe-rule.ts'
import styles from './rules-frame.module.css'

/** The box that says in two sentences what a rule does. */
export function RuleSummary({ parts, children }: { parts: SummaryPart[]; children?: ReactNode }) {
  return (
    <section className={styles.ruleSummary} aria-labelledby="what-it-does">
      <h2 className="sr-only" id="what-it-does">
        What the rule does
      </h2>
      <p>
        {parts.map((part, n) =>
          typeof part === 'string' ? (
            part
          ) : (
            <b key={n}>
              <bdi>{bidiSafe(part.strong)}</bdi>
            </b>
          ),
        )}
      </p>
      {children}
    </section>
  )
}
