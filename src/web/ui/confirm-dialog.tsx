import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { HandrailProblem } from '../../client/problem.ts'
import { asProblem } from '../lib/problem.ts'
import { Dialog } from './dialog.tsx'
import { ProblemStrip } from './strip.tsx'

type Props = {
  title: string
  description: string
  /** Button labels. */
  confirmLabel: string
  cancelLabel?: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Confirms an action that is hard to undo. Stays open with the problem if the action failed. */
export function ConfirmDialog({
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  onConfirm,
  onClose,
  children,
}: Props) {
  const confirmation = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
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
            onClick={() => !confirmation.isPending && confirmation.mutate()}
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

/** Without a response, or after a failure of the service, it is not known whether it was done. */
function describeFailure({ status }: HandrailProblem): string {
  return status >= 400 && status < 500 ? 'Nothing was changed.' : 'This may not have been completed.'
}
