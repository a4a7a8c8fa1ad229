import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asProblem } from '../lib/problem.ts'
import { Dialog } from './dialog.tsx'
import { ProblemStrip } from './strip.tsx'

type Props = {
  title: string
  about: string
  /** Button labels. */
  confirm: string
  cancel?: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Confirms an action that is hard to undo. Stays open with the problem if the action failed. */
export function ConfirmDialog({
  title,
  about,
  confirm,
  cancel = 'Cancel',
  onConfirm,
  onClose,
  children,
}: Props) {
  const confirmation = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  return (
    <Dialog
      title={title}
      about={about}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {cancel}
          </button>
          <button
            type="button"
            className="btn primary"
            aria-disabled={confirmation.isPending}
            onClick={() => !confirmation.isPending && confirmation.mutate()}
          >
            {confirm}
          </button>
        </>
      }
    >
      {confirmation.error && (
        <ProblemStrip what="Nothing was changed." problem={asProblem(confirmation.error)} />
      )}
      {children}
    </Dialog>
  )
}
