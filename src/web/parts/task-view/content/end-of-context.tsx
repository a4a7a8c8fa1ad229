import { useState } from 'react'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useTaskDisplay } from '../comparisons/task-display.ts'
import taskStyles from '../task.module.css'
import styles from './end-of-context.module.css'

export function EndOfContext() {
  const [isShown, setShown] = useState(false)
  const display = useTaskDisplay()
  if (!display) return null
  const text = () => asText(display.payload() as MemberTaskRecord)
  return (
    <div className={`${styles.end} ${taskStyles.sectionDot}`}>
      <span>That's everything the agent sent.</span>
      <button type="button" className="text-button" onClick={() => setShown(true)}>
        View payload
      </button>
      <CopyButton className="text-button" confirmation="text" text={text}>
        Copy as JSON
      </CopyButton>
      {isShown && (
        <Dialog
          isWide
          title="Payload"
          description={
            display.isBlind
              ? 'The task as the agent sent it. Names and order are hidden in a blind comparison.'
              : 'The complete task as the agent sent it.'
          }
          onClose={() => setShown(false)}
          footer={
            <CopyButton className="btn" confirmation="text" text={text}>
              Copy as JSON
            </CopyButton>
          }
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take focus */}
          <pre className="payload" tabIndex={0}>
            {bidiSafe(text())}
          </pre>
        </Dialog>
      )}
    </div>
  )
}

/** The task as the agent sent it, including fields this page does not know. */
function asText({ type, name, description, context, actions, sent }: MemberTaskRecord) {
  const task = { ...(sent ? sent.task : { type }), name, description }
  return JSON.stringify({ ...sent, task, context, actions }, null, 2)
}
