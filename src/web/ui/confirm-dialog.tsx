import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asProblem, describeFailure } from '../lib/problem.ts'
import { Dialog } from './dialog.tsx'
import { ProblemStrip } from './strip.tsx'

type Props = {
  title: string
  description: string
  confirmLabel: string
  cancelLabel?: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/**
 * Asks before an action. If the action fails, the dialog stays open and shows the problem.
 */
export function ConfirmDialog({
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  onConfirm,
  onClose,
  children,
}: Props) {
  const confirmation = useMutation({ mutationFn: onConfirm })
  const problem = confirmation.error && asProblem(confirmation.error)
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {cancelLabel}
          </button>
          <button
            type="button"
            className="btn primary"
            aria-disabled={confirmation.isPending}
            // `onSuccess` is not called once this dialog is closed, because another one may be open.
            onClick={() => !confirmation.isPending && confirmation.mutate(undefined, { onSuccess: onClose })}
          >
            {confirmLabel}
          </button>
        </>
      }
    >
      {problem && <ProblemStrip message={describeFailure(problem)} problem={problem} />}
      {children}
    </Dialog>
  )
}
