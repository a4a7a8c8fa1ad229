import { KeyRound } from 'lucide-react'
import { useRef } from 'react'
import { saveFile } from '../../lib/save-file.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import secretBoxStyles from '../../ui/secret-box.module.css'
import { useFocusAfterDialog } from './use-focus-after-dialog.ts'

/** Shown once: the codes cannot be retrieved later. */
export function RecoveryCodes({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const box = useRef<HTMLElement>(null)
  useFocusAfterDialog(() => box.current)
  const text = () => `${codes.join('\n')}\n`
  return (
    <section className={secretBoxStyles.box} ref={box} tabIndex={-1} aria-label="Your recovery codes">
      <ul className={secretBoxStyles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className={secretBoxStyles.warning} role="status">
        <Icon of={KeyRound} />
        <span>
          Save these codes now. You won't be able to see them again. Each one works once instead of a code
          from your authenticator app, for example if you lose your phone. So don't keep them only on your
          phone.
        </span>
      </p>
      <div className={secretBoxStyles.actions}>
        <CopyButton className="btn small" confirmation="text" text={text}>
          Copy
        </CopyButton>
        <button
          type="button"
          className="btn small"
          onClick={() => saveFile('handrail-recovery-codes.txt', 'text/plain', text())}
        >
          Download
        </button>
        <button type="button" className="btn small primary" onClick={onSaved}>
          I have saved these codes
        </button>
      </div>
    </section>
  )
}
