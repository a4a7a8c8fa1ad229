import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

// A held key repeats every 30 to 90 ms; whoever taps is slower, and sees each task at once.
const settleMilliseconds = 100

type Passing = {
  taskId: string
  /** What the address names meanwhile. */
  from: string | undefined
  isOver: boolean
}

/**
 * Which task is selected. A single step opens its task at once. Of steps that follow each other quickly only the last
 * one does, after a pause or before anything else is done: the tasks between are passed, and neither drawn nor put into
 * the address, which browsers refuse to change a hundred times in some seconds.
 */
export function useStepThrough(
  addressId: string | undefined,
  open: (taskId: string, replace: boolean) => void,
) {
  const [passing, setPassing] = useState<Passing>()
  const lastStepAt = useRef(Number.NEGATIVE_INFINITY)
  // The address has caught up, or leads elsewhere.
  if (passing && passing.from !== addressId) setPassing(undefined)

  useEffect(() => {
    if (!passing || passing.isOver) return undefined
    const { taskId, from } = passing
    // Drawn before it returns: a key that comes next finds the task that is selected, or none.
    const settle = () => {
      flushSync(() => setPassing(settled(taskId, from)))
      if (taskId !== from) open(taskId, from !== undefined)
    }
    const settleFirst = (event: Event) => {
      if (!isStep(event)) settle()
    }
    const timer = setTimeout(settle, settleMilliseconds)
    window.addEventListener('keydown', settleFirst, { capture: true })
    window.addEventListener('pointerdown', settleFirst, { capture: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', settleFirst, { capture: true })
      window.removeEventListener('pointerdown', settleFirst, { capture: true })
    }
  }, [open, passing])

  /** `at`: when the key was pressed. It may have waited while the page was busy, which makes it no slower. */
  function stepTo(taskId: string, at: number) {
    const isQuick = at - lastStepAt.current < settleMilliseconds
    lastStepAt.current = at
    if (isQuick) return setPassing({ taskId, from: addressId, isOver: false })
    // The pause may be over and not yet noticed.
    if (passing) setPassing(settled(taskId, addressId))
    if (taskId !== addressId) open(taskId, addressId !== undefined)
  }

  const isMoved = passing !== undefined && passing.from === addressId
  return {
    taskId: isMoved ? passing.taskId : addressId,
    isStepping: isMoved && !passing.isOver,
    stepTo,
  }
}

function settled(taskId: string, from: string | undefined): Passing | undefined {
  return taskId === from ? undefined : { taskId, from, isOver: true }
}

function isStep(event: Event): boolean {
  return (
    event instanceof KeyboardEvent &&
    !(event.ctrlKey || event.metaKey || event.altKey) &&
    ['j', 'k', 'arrowdown', 'arrowup'].includes(event.key.toLowerCase())
  )
}
