import { Link } from 'lucide-react'
import { Icon } from '../../ui/icon.tsx'
import { useKeyHint } from '../../ui/key-cap.tsx'
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

/** Shown while a person steps through the list, or the pane loads. Nothing can be answered here. */
export function TaskPlaceholder(props: Props) {
  const copyHint = useKeyHint('Copy link', 'L')
  return (
    <main className={`${taskStyles.task} ${panesStyles.task}`} id="task" tabIndex={-1}>
      <TaskBar task={undefined} {...props}>
        {/* Not `CopyLink`, which loads with the pane. */}
        <button type="button" className="btn square" {...copyHint} disabled>
          <Icon of={Link} />
        </button>
      </TaskBar>
      <section className={taskStyles.scroll} aria-label="Task">
        <TaskSkeleton />
      </section>
    </main>
  )
}
