import { type ComponentProps, lazy, Suspense, useEffect } from 'react'
import type { TaskPane } from './task-pane.tsx'
import { TaskPlaceholder } from './task-placeholder.tsx'

const load = () => import('./task-pane.tsx').then((module) => ({ default: module.TaskPane }))
const Loaded = lazy(load)

/** Loads the pane once the list is shown, before anybody opens a task. */
export function usePreloadedTaskPane(isListShown: boolean): void {
  useEffect(() => {
    if (isListShown) void load().catch(() => undefined)
  }, [isListShown])
}

/** The pane of a task, which is loaded apart from the list. Until it is here, nothing can be answered. */
export function LazyTaskPane(props: ComponentProps<typeof TaskPane>) {
  return (
    <Suspense fallback={<TaskPlaceholder {...props} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
