import { useShortcuts } from '../../lib/shortcuts.ts'

type Inputs = {
  rows: readonly { taskId: string }[]
  taskId: string | undefined
  /** Ids of the list itself and of what stands around it, which is there without a row, too. */
  listId: string
  frameId: string
  onOpen: (taskId: string, replace: boolean) => void
}

/** The keys that lead through a list of tasks, and from it into the open one. */
export function useSteps({ rows, taskId, listId, frameId, onOpen }: Inputs) {
  const place = rows.findIndex((row) => row.taskId === taskId)

  function focusList() {
    const list = document.getElementById(listId) ?? document.getElementById(frameId)
    list?.focus({ preventScroll: true })
  }

  function isInList(event: KeyboardEvent): boolean {
    return event.target === document.body || (event.target as HTMLElement).id === listId
  }

  function move(by: 1 | -1) {
    const target = rows[place < 0 ? 0 : place + by]
    if (!target || (place < 0 && by < 0)) return
    onOpen(target.taskId, taskId !== undefined)
    focusList()
  }

  function stepInList(event: KeyboardEvent, by: 1 | -1) {
    if (!isInList(event)) return
    event.preventDefault()
    move(by)
  }

  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: (event) => stepInList(event, 1),
    ArrowUp: (event) => stepInList(event, -1),
    Enter: (event) => isInList(event) && (taskId ? focusTask() : move(1)),
    o: () => (taskId ? focusTask() : move(1)),
  })

  return {
    place,
    move,
    focusList,
    isInList,
    onPrevious: place > 0 ? () => move(-1) : undefined,
    onNext: place >= 0 && place < rows.length - 1 ? () => move(1) : undefined,
  }
}

export function focusTask() {
  document.getElementById('task-content')?.focus({ preventScroll: true })
}
