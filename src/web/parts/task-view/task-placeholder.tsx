import panesStyles from '../../ui/panes.module.css'
import taskStyles from './task.module.css'
import { TaskBar } from './task-bar.tsx'
import { TaskSkeleton } from './task-skeleton.tsx'

type Props = {
  position: string | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onBack: () => void
}

/** Shown while stepping through the list or loading the pane. Cannot be answered. */
export function TaskPlaceholder(props: Props) {
  return (
    <main className={`${taskStyles.task} ${panesStyles.task}`} id="task" tabIndex={-1}>
      <TaskBar task={undefined} {...props} />
      <section className={taskStyles.scroll} aria-label="Task">
        <TaskSkeleton />
      </section>
    </main>
  )
}
