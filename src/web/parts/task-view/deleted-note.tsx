import { Eraser } from 'lucide-react'
import { fullDate } from '../../lib/time.ts'
import { Icon } from '../../ui/icon.tsx'

/** Shown instead of deleted content. */
export function DeletedNote({ at }: { at: string }) {
  return (
    <p className="deleted-note post">
      <Icon of={Eraser} />
      <span>
        The content of this task was deleted on <time dateTime={at}>{fullDate(at)}</time>. How it ended, when
        and by whom stays.
      </span>
    </p>
  )
}
