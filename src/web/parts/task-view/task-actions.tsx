import { Ellipsis } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { useRole } from '../../lib/role.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LoadingDialog } from '../../ui/loading-dialog.tsx'

const TaskMenu = lazyMenu(() => import('./task-menu.tsx'))
const AssignDialog = lazyPart(() => import('./team/assign-dialog.tsx'))
const NoteDialog = lazyPart(() => import('./team/note-dialog.tsx'))
const SnoozeDialog = lazyPart(() => import('./team/snooze-dialog.tsx'))
const DeleteContentDialog = lazyPart(() => import('./delete-content-dialog.tsx'))

type Props = {
  task: TaskRecord
  /** Whether tasks are selected in the list, so that shortcuts do not apply to this task. */
  isSelecting: boolean
  /** Undefined: the page lists no open tasks. */
  onSnoozed: ((task: TaskRecord, until: string) => void) | undefined
}

/** What members do with a task besides answering it. */
export function TaskActions({ task, isSelecting, onSnoozed }: Props) {
  const { isAtLeast } = useRole()
  const [opened, setOpened] = useState<'assign' | 'note' | 'snooze' | 'delete'>()
  const hasContent = !task.contentDeletedAt
  const isOpen = task.status === 'open'
  const onAssign = isOpen ? () => setOpened('assign') : undefined
  const onNote = hasContent ? () => setOpened('note') : undefined
  const onSnooze = isOpen && onSnoozed ? () => setOpened('snooze') : undefined
  const onDelete = !isOpen && hasContent && isAtLeast('admin') ? () => setOpened('delete') : undefined
  useShortcuts(
    isSelecting
      ? {}
      : { ...(onAssign && { a: onAssign }), ...(onNote && { n: onNote }), ...(onSnooze && { h: onSnooze }) },
  )
  const close = () => setOpened(undefined)
  if (!hasContent) return null
  return (
    <>
      <TaskMenu
        trigger={
          <button type="button" className="btn square" aria-label="More actions">
            <Icon of={Ellipsis} />
          </button>
        }
        onAssign={onAssign}
        onNote={onNote}
        onSnooze={onSnooze}
        onDelete={onDelete}
      />
      <Suspense fallback={<LoadingDialog onClose={close} />}>
        {opened === 'assign' && <AssignDialog task={task} onClose={close} />}
        {opened === 'note' && <NoteDialog task={task} onClose={close} />}
        {opened === 'snooze' && onSnoozed && (
          <SnoozeDialog task={task} onSnoozed={(until) => onSnoozed(task, until)} onClose={close} />
        )}
        {opened === 'delete' && <DeleteContentDialog taskId={task.taskId} onClose={close} />}
      </Suspense>
    </>
  )
}
