import { visible } from '../../ui/visible-text.tsx'
import type { Answer, FailedAnswer } from './use-answers.ts'

type Props = {
  sending: Answer[]
  failed: FailedAnswer | undefined
  onOpen: (taskId: string) => void
  onDismiss: () => void
}

export function AnswerToast({ sending, failed, onOpen, onDismiss }: Props) {
  if (failed) {
    return (
      <div className="toast" role="alert">
        <span>
          “<bdi>{visible(failed.title)}</bdi>” was not sent. {failed.problem.detail}
        </span>
        <button
          type="button"
          onClick={() => {
            onOpen(failed.taskId)
            onDismiss()
          }}
        >
          Open
        </button>
        <button type="button" onClick={onDismiss}>
          Dismiss
        </button>
      </div>
    )
  }
  const last = sending.at(-1)
  if (!last) return null
  return (
    <div className="toast" role="status">
      <span>
        Sending “<bdi>{visible(last.title)}</bdi>”{sending.length > 1 && ` and ${sending.length - 1} more`}
      </span>
    </div>
  )
}
