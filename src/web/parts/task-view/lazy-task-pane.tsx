import { type ComponentProps, lazy, Suspense, useEffect } from 'react'
import type { TaskPane } from './task-pane.tsx'
import { TaskPlaceholder } from './task-placeholder.tsx'

const load = () => import('./task-pane.tsx').then((module) => ({ default: module.TaskPane }))
const Loaded = lazy(load)

/** Preloads the pane once the list is shown. */
export function usePreloadedTaskPane(isListShown: boolean): void {
  useEffect(() => {
    if (isListShown) void load().catch(() => undefined)
  }, [isListShown])
}

/** The task pane as a separate chunk. Nothing can be answered until it is loaded. */
export function LazyTaskPane(props: ComponentProps<typeof TaskPane>) {
  return (
    <Suspense fallback={<TaskPlaceholder {...props} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
