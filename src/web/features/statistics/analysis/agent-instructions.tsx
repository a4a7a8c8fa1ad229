import { Copy } from 'lucide-react'
import { useState } from 'react'
import type { AppAndType } from '../../../lib/app-and-type.ts'
import { pluralize } from '../../../lib/count.ts'
import { useRole } from '../../../lib/role.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './agent-instructions.module.css'
import { countWords } from './describe-result.ts'

type Props = {
  text: string
  /** The app and type whose test cases can be downloaded. undefined: there are none to download. */
  casesOf: AppAndType | undefined
}

export function AgentInstructions({ text, casesOf }: Props) {
  const { api } = useWorkspace()
  const { isAtLeast } = useRole()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div className={styles.actions}>
        <CopyButton className="btn primary" confirmation="text" text={() => text}>
          <Icon of={Copy} />
          Copy agent instructions
        </CopyButton>
        <button type="button" className="btn" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'} instructions
        </button>
        {casesOf && isAtLeast('admin') && (
          <a className="btn quiet" href={api.exportUrl({ format: 'cases', ...casesOf })} download>
            Download test cases
          </a>
        )}
        <span className="help">
          {pluralize(countWords(text), 'word')} for your coding agent. Quotes in it are marked as data, not
          instructions.
        </span>
      </div>
      {isOpen && (
        // biome-ignore lint/a11y: a scrollable box must be focusable, and then it needs a role and a name
        <pre className={styles.instructions} role="group" tabIndex={0} aria-label="Agent instructions">
          {bidiSafe(text)}
        </pre>
      )}
    </>
  )
}
