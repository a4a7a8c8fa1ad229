import { Eraser } from 'lucide-react'
import { formatFullDate } from '../../../lib/time.ts'
import { Icon } from '../../../ui/icon.tsx'
import taskStyles from '../task.module.css'
import styles from './deleted-content.module.css'

/** Shown instead of deleted content. */
export default function DeletedContent({ at }: { at: string }) {
  return (
    <p className={`${styles.deleted} ${taskStyles.sectionDot}`}>
      <Icon of={Eraser} />
      <span>
        The content of this task was deleted on <time dateTime={at}>{formatFullDate(at)}</time>. The record of
        how it ended, when and by whom is kept.
      </span>
    </p>
  )
}
