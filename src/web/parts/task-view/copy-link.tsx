import { Link } from 'lucide-react'
import { useRef } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { basePath } from '../../lib/base-path.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useKeyHint } from '../../ui/key-cap.tsx'

export function CopyLink({ taskId, task }: { taskId: string; task: TaskRecord | undefined }) {
  const { workspaceId } = useWorkspace()
  const hint = useKeyHint('Copy link', 'L')
  const button = useRef<HTMLButtonElement>(null)
  // Clicks the button, which shows the confirmation.
  useShortcuts({ l: () => button.current?.click() })
  // Not the address of the page, which may still be that of the previous task and contains the
  // person's filters.
  const page = task && task.status !== 'open' ? 'handled' : 'inbox'
  return (
    <CopyButton
      ref={button}
      className="btn square"
      label="Copy link"
      hint={hint}
      text={() => `${location.origin}${basePath}/w/${workspaceId}/${page}/${taskId}`}
      icon={Link}
    />
  )
}
