import type { ReactNode } from 'react'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import type { SentencePart } from './describe-rule.ts'
import styles from './rules-frame.module.css'

/** The box that says what a rule does. */
export function Sentence({ parts, children }: { parts: SentencePart[]; children?: ReactNode }) {
  return (
    <section className={styles.sentence} aria-labelledby="what-it-does">
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
