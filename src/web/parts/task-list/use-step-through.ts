import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

// A held key repeats every 30 to 90 ms. Single key presses are slower and open each task.
const settleMilliseconds = 100

type Stepping = {
  taskId: string
  /** The task that the URL still names. */
  from: string | undefined
  /** The steps have ended; only the URL still has to change. */
  isOver: boolean
}

/**
 * The current task of a list: the one that the URL names or, while the person steps through the list,
 * the one that they have stepped to. A single step opens its task immediately. Of several steps in
 * quick succession, only the last one opens its task, after a pause or before any other input. The
 * tasks before it are neither rendered nor put into the URL, because browsers allow only about a
 * hundred URL changes within a few seconds.
 */
export function useStepThrough(
  urlTaskId: string | undefined,
  open: (taskId: string, options: { replace: boolean }) => void,
) {
  const [stepping, setStepping] = useState<Stepping>()
  const lastStepAt = useRef(Number.NEGATIVE_INFINITY)
  // The URL has changed, to the task of the last step or to another one.
  if (stepping && stepping.from !== urlTaskId) setStepping(undefined)

  useEffect(() => {
    if (!stepping || stepping.isOver) return undefined
    const { taskId, from } = stepping
    // Rendered synchronously, so that the next key applies to this task or to none.
    const settle = () => {
      flushSync(() => setStepping(settledAt(taskId, from)))
      if (taskId !== from) open(taskId, { replace: from !== undefined })
    }
    const settleBeforeInput = (event: Event) => {
      if (!isStep(event)) settle()
    }
    const timer = setTimeout(settle, settleMilliseconds)
    window.addEventListener('keydown', settleBeforeInput, { capture: true })
    window.addEventListener('pointerdown', settleBeforeInput, { capture: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', settleBeforeInput, { capture: true })
      window.removeEventListener('pointerdown', settleBeforeInput, { capture: true })
    }
  }, [open, stepping])

  /** `pressedAt`: time of the key press, which may be earlier than now if the page was busy. */
  function stepTo(taskId: string, pressedAt: number) {
    const isQuick = pressedAt - lastStepAt.current < settleMilliseconds
    lastStepAt.current = pressedAt
    if (isQuick) return setStepping({ taskId, from: urlTaskId, isOver: false })
    // The pause may be over although the timer has not fired yet.
    if (stepping) setStepping(settledAt(taskId, urlTaskId))
    if (taskId !== urlTaskId) open(taskId, { replace: urlTaskId !== undefined })
  }

  const hasStepped = stepping !== undefined && stepping.from === urlTaskId
  return {
    taskId: hasStepped ? stepping.taskId : urlTaskId,
    isStepping: hasStepped && !stepping.isOver,
    stepTo,
  }
}

function settledAt(taskId: string, from: string | undefined): Stepping | undefined {
  return taskId === from ? undefined : { taskId, from, isOver: true }
}

function isStep(event: Event): boolean {
  return (
    event instanceof KeyboardEvent &&
    !(event.ctrlKey || event.metaKey || event.altKey) &&
    ['j', 'k', 'arrowdown', 'arrowup'].includes(event.key.toLowerCase())
  )
}
