import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import type { Violation } from '../../../contract/violation.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './payload-editor.module.css'
import type { Validation } from './validate-payload.ts'

type Props = {
  text: string
  validation: Validation
  isChanged: boolean
  onChange: (text: string) => void
  onReset: () => void
}

export function PayloadEditor({ text, validation, isChanged, onChange, onReset }: Props) {
  const id = useId()
  return (
    <div className={styles.editor}>
      <header>
        <label htmlFor={id}>Payload (editable)</label>
        {isChanged && (
          <button type="button" className="text-button" onClick={onReset}>
            Reset
          </button>
        )}
        <CopyButton className="text-button" confirmation="text" text={() => text}>
          Copy
        </CopyButton>
      </header>
      <textarea
        id={id}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        aria-describedby={`${id}-result`}
        aria-invalid={validation.errors.length > 0}
        onChange={({ target }) => onChange(target.value)}
      />
      <div id={`${id}-result`} role="status">
        {validation.errors.length > 0 ? (
          <Violations
            icon={CircleAlert}
            tone="neg"
            title="This payload is invalid."
            violations={validation.errors}
          />
        ) : validation.warnings.length > 0 ? (
          <Violations
            icon={TriangleAlert}
            tone="warn"
            title="This payload is valid, with warnings."
            violations={validation.warnings}
          />
        ) : (
          <p className={`${styles.result} ${styles.pos}`}>
            <Icon of={CircleCheck} /> This payload is valid.
          </p>
        )}
      </div>
    </div>
  )
}

type ViolationsProps = { icon: typeof CircleAlert; tone: string; title: string; violations: Violation[] }

function Violations({ icon, tone, title, violations }: ViolationsProps) {
  return (
    <>
      <p className={`${styles.result} ${styles[tone]}`}>
        <Icon of={icon} /> {title}
      </p>
      <ul className={styles.violations}>
        {violations.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path && <code>{path}</code>} {message}
          </li>
        ))}
      </ul>
    </>
  )
}
