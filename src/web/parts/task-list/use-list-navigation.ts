import { useShortcuts } from '../../lib/shortcuts.ts'

type Inputs = {
  rows: readonly { taskId: string }[]
  taskId: string | undefined
  /** Element ids of the list and of its container, which exists even if the list is empty. */
  listId: string
  frameId: string
  /** A button was clicked: open the task immediately. */
  onOpen: (taskId: string, options: { replace: boolean }) => void
  /** A key was pressed, possibly one of many in quick succession. */
  onStep: (taskId: string, pressedAt: number) => void
}

/** Shortcuts for moving through a list of tasks and into the displayed task. */
export function useListNavigation({ rows, taskId, listId, frameId, onOpen, onStep }: Inputs) {
  const position = rows.findIndex((row) => row.taskId === taskId)

  function focusList() {
    const list = document.getElementById(listId) ?? document.getElementById(frameId)
    list?.focus({ preventScroll: true })
  }

  function isInList(event: KeyboardEvent): boolean {
    return event.target === document.body || (event.target as HTMLElement).id === listId
  }

  function move(by: 1 | -1, run: (taskId: string) => void) {
    const target = rows[position < 0 ? 0 : position + by]
    if (!target || (position < 0 && by < 0)) return
    run(target.taskId)
    focusList()
  }

  const step = (event: KeyboardEvent, by: 1 | -1) => move(by, (id) => onStep(id, event.timeStamp))
  const openNeighbor = (by: 1 | -1) => move(by, (id) => onOpen(id, { replace: taskId !== undefined }))

  function stepInList(event: KeyboardEvent, by: 1 | -1) {
    if (!isInList(event)) return
    event.preventDefault()
    step(event, by)
  }

  useShortcuts({
    j: (event) => step(event, 1),
    k: (event) => step(event, -1),
    ArrowDown: (event) => stepInList(event, 1),
    ArrowUp: (event) => stepInList(event, -1),
    Enter: (event) => isInList(event) && (taskId ? focusTask() : step(event, 1)),
    o: (event) => (taskId ? focusTask() : step(event, 1)),
  })

  return {
    position,
    step,
    focusList,
    isInList,
    onPrevious: position > 0 ? () => openNeighbor(-1) : undefined,
    onNext: position >= 0 && position < rows.length - 1 ? () => openNeighbor(1) : undefined,
  }
}

/** Moves the focus from a field to the task. Returns false if the key was not pressed in a field. */
export function leaveField({ target }: KeyboardEvent): boolean {
  const isField = target instanceof HTMLElement && target.matches('input, textarea, select')
  if (isField) focusTask()
  return isField
}

function focusTask() {
  document.getElementById('task-content')?.focus({ preventScroll: true })
}
