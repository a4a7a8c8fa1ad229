import { KeyRound } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import styles from './secret-box.module.css'

type Props = {
  /** Used in the button label: "key", "link". */
  noun: string
  value: string
  warning: string
  facts: [name: string, value: ReactNode][]
}

/** A secret that is shown only once, because the service never returns it again. */
export function ShownOnce({ noun, value, warning, facts }: Props) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <section className={styles.box} ref={box} tabIndex={-1} aria-label={`New ${noun}`}>
      <div className={styles.value}>
        <code>{value}</code>
        <CopyButton className="btn small primary" confirmation="text" text={() => value}>
          Copy {noun}
        </CopyButton>
      </div>
      <p className={styles.warning}>
        <Icon of={KeyRound} />
        <span>{warning}</span>
      </p>
      <dl>
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt> <dd>{fact}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
