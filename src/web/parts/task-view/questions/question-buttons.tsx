import { MessageCircleQuestionMark, Undo2 } from 'lucide-react'
import type { QuestionKind } from '../../../../contract/question.ts'
import { Icon } from '../../../ui/icon.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import dockStyles from '../dock/dock.module.css'
import styles from './question-buttons.module.css'

type Props = {
  openKind: QuestionKind | undefined
  isDisabled: boolean
  onOpen: (kind: QuestionKind) => void
  onClose: () => void
}

const buttons = [
  { kind: 'question', title: 'Ask the agent', short: 'Ask', cap: 'Q', icon: MessageCircleQuestionMark },
  { kind: 'changes', title: 'Request changes', short: 'Changes', cap: 'C', icon: Undo2 },
] as const

/** Buttons for talking to the agent instead of answering, beside the agent's actions. */
export function QuestionButtons({ openKind, isDisabled, onOpen, onClose }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a legend; these are buttons, not fields
    <div
      className={`${styles.questionButtons} ${dockStyles.questionButtons}`}
      role="group"
      aria-label="Talk to the agent"
    >
      {buttons.map(({ kind, title, short, cap, icon }) => (
        <button
          key={kind}
          type="button"
          className={`${dockStyles.act} ${styles.button}`}
          aria-label={title}
          aria-pressed={kind === openKind}
          aria-disabled={isDisabled || undefined}
          onClick={() => !isDisabled && (kind === openKind ? onClose() : onOpen(kind))}
        >
          <Icon of={icon} />
          <span className="wide-only">{title}</span>
          <span className="narrow-only">{short}</span>
          <KeyCap>{cap}</KeyCap>
        </button>
      ))}
    </div>
  )
}
