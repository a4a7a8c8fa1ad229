import { type ComponentProps, lazy, Suspense } from 'react'
import { PassedTask } from './passed-task.tsx'
import type { TaskPane } from './task-pane.tsx'

const load = () => import('./task-pane.tsx').then((module) => ({ default: module.TaskPane }))
const Loaded = lazy(load)

// The list comes first. Then the rest is loaded, before anybody opens a task.
setTimeout(() => void load().catch(() => undefined), 1_000)

/** The pane of a task, which is loaded apart from the list. Until it is here, nothing can be answered. */
export function LateTaskPane(props: ComponentProps<typeof TaskPane>) {
  return (
    <Suspense fallback={<PassedTask {...props} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
