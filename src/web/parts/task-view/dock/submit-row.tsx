import { ChevronDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Action } from '../../../../contract/action.ts'
import { keyCap } from '../../../lib/shortcuts.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import { lazyMenu } from '../../../ui/lazy-menu.tsx'
import { ErrorLine } from '../../form/error-line.tsx'
import type { Answering } from '../answering/use-answering.ts'
import type { DraftState } from '../drafts/draft-saver.ts'
import answerSheetStyles from './answer-sheet.module.css'
import dockStyles from './dock.module.css'
import styles from './submit-row.module.css'

const SendOptionsMenu = lazyMenu(() => import('./send-options-menu.tsx'))

const draftStateLabels: Record<DraftState, string> = {
  untouched: '',
  saving: '',
  saved: 'Draft saved',
  failed: 'Draft not saved yet. Keep this tab open.',
  refused: 'Draft not saved. Only this tab keeps it.',
}

type Props = {
  action: Action
  answering: Answering
  isEnded: boolean
  draftState: DraftState
}

/**
 * The primary button, labelled with the action's title, further options to send, errors, and the
 * state of this action's draft.
 */
export function SubmitRow({ action, answering, isEnded, draftState }: Props) {
  const primary = useRef<HTMLButtonElement>(null)
  const isDisabled = isEnded || answering.isSending

  // An action that was chosen by key and has no form is sent by Enter on the focused button.
  useEffect(() => {
    if (answering.chosenBy === 'key' && !action.schema) primary.current?.focus()
  }, [])

  return (
    <div className={`${styles.submit} ${dockStyles.submit} ${answerSheetStyles.submit}`}>
      <div className={`${styles.split} ${dockStyles.split} ${answerSheetStyles.split}`}>
        <button
          ref={primary}
          type="button"
          className="btn primary"
          aria-disabled={isDisabled}
          onClick={() => void answering.submit()}
        >
          <bdi>
            {bidiSafe(action.title)}
            {answering.isEdited && ' with your edits'}
          </bdi>{' '}
          <KeyCap>{keyCap.submit}</KeyCap>
        </button>
        <SendOptionsMenu
          trigger={
            <button
              type="button"
              className="btn primary"
              aria-label="More send options"
              disabled={isDisabled}
            >
              <Icon of={ChevronDown} />
            </button>
          }
          onSend={answering.submit}
        />
      </div>
      {answering.formErrors && <ErrorLine errors={answering.formErrors} />}
      <span className={styles.status} role="status">
        {answering.isSending ? 'Sending…' : draftStateLabels[draftState]}
      </span>
    </div>
  )
}
