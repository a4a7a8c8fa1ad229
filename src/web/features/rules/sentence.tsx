import type { ReactNode } from 'react'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import type { Words } from './describe-rule.ts'
import styles from './rules-frame.module.css'

/** The box that says what a rule does. */
export function Sentence({ words, children }: { words: Words[]; children?: ReactNode }) {
  return (
    <section className={styles.says} aria-label="What the rule does">
      <p>
        {words.map((part, n) =>
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
