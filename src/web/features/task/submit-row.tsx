import type { Action } from '../../../contract/action.ts'
import { keyCap } from '../../lib/shortcuts.ts'
import { KeyCap } from '../../ui/key-cap.tsx'
import { visible } from '../../ui/visible-text.tsx'
import type { useAnswer } from './use-answer.ts'
import type { DraftState } from './use-drafts.ts'

const draftWords: Record<DraftState, string> = {
  untouched: '',
  saving: '',
  saved: 'Draft saved',
  failed: 'Draft not saved',
}

type Props = {
  action: Action
  answer: ReturnType<typeof useAnswer>
  isEnded: boolean
  draft: DraftState
}

/** The primary button repeats the action's title: what it says is what happens. */
export function SubmitRow({ action, answer, isEnded, draft }: Props) {
  return (
    <div className="submit">
      <button
        type="button"
        className="btn primary"
        aria-disabled={isEnded || answer.isSending}
        onClick={() => void answer.submit()}
      >
        <bdi>{visible(action.title)}</bdi> <KeyCap>{keyCap.submit}</KeyCap>
      </button>
      <span className="note" role="status">
        {answer.isSending ? 'Sending' : draftWords[draft]}
      </span>
    </div>
  )
}
