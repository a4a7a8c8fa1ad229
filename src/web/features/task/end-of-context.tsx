import { useState } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { visible } from '../../ui/visible-text.tsx'
import { usePresentedTask } from './presented.ts'

export function EndOfContext() {
  const [isShown, setShown] = useState(false)
  const presented = usePresentedTask()
  if (!presented) return null
  const text = () => asText(presented.payload() as TaskRecord)
  return (
    <div className="end post">
      <span>That is everything the agent sent.</span>
      <button type="button" className="text-button" onClick={() => setShown(true)}>
        View payload
      </button>
      <CopyButton className="text-button" icon={null} text={text}>
        Copy as JSON
      </CopyButton>
      {isShown && (
        <Dialog
          wide
          title="Payload"
          about={
            presented.isBlind
              ? 'The task as the agent sent it. Names and order are hidden while the comparison is blind.'
              : 'The task as the agent sent it, nothing left out.'
          }
          onClose={() => setShown(false)}
          footer={
            <CopyButton className="btn" icon={null} text={text}>
              Copy as JSON
            </CopyButton>
          }
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take focus */}
          <pre className="payload" tabIndex={0}>
            {visible(text())}
          </pre>
        </Dialog>
      )}
    </div>
  )
}

function asText({
  taskId,
  app,
  type,
  name,
  description,
  version,
  priority,
  metadata,
  context,
  actions,
}: TaskRecord) {
  const sent = { taskId, app, type, name, description, version, priority, metadata, context, actions }
  return JSON.stringify(sent, null, 2)
}
