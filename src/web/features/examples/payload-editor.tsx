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
        <CopyButton className="text-button" icon={null} text={() => text}>
          Copy
        </CopyButton>
      </header>
      <textarea
        id={id}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        aria-describedby={`${id}-verdict`}
        aria-invalid={validation.errors.length > 0}
        onChange={({ target }) => onChange(target.value)}
      />
      <div id={`${id}-verdict`} role="status">
        {validation.errors.length > 0 ? (
          <Findings
            icon={CircleAlert}
            tone="neg"
            title="This payload is invalid"
            violations={validation.errors}
          />
        ) : validation.warnings.length > 0 ? (
          <Findings
            icon={TriangleAlert}
            tone="warn"
            title="This payload is valid, with warnings"
            violations={validation.warnings}
          />
        ) : (
          <p className={`${styles.verdict} ${styles.pos}`}>
            <Icon of={CircleCheck} /> This payload is valid.
          </p>
        )}
      </div>
    </div>
  )
}

type FindingsProps = { icon: typeof CircleAlert; tone: string; title: string; violations: Violation[] }

function Findings({ icon, tone, title, violations }: FindingsProps) {
  return (
    <>
      <p className={`${styles.verdict} ${styles[tone]}`}>
        <Icon of={icon} /> {title}
      </p>
      <ul className={styles.findings}>
        {violations.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path && <code>{path}</code>} {message}
          </li>
        ))}
      </ul>
    </>
  )
}
