import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { useRole } from '../../lib/role.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import { DeleteContentDialog } from './delete-content-dialog.tsx'

const EndedMenu = lazyMenu(() => import('./ended-menu.tsx'))

/** Actions for a task that has ended. */
export function EndedActions({ task }: { task: TaskRecord }) {
  const { isAtLeast } = useRole()
  const [isDeleting, setDeleting] = useState(false)
  if (!isAtLeast('admin') || task.contentDeletedAt) return null
  return (
    <>
      <EndedMenu
        trigger={
          <button type="button" className="btn square" aria-label="More actions">
            <Icon of={Ellipsis} />
          </button>
        }
        onDelete={() => setDeleting(true)}
      />
      {isDeleting && <DeleteContentDialog taskId={task.taskId} onClose={() => setDeleting(false)} />}
    </>
  )
}
