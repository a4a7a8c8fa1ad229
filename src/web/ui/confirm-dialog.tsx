import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { asProblem } from '../lib/problem.ts'
import { Dialog } from './dialog.tsx'
import { ProblemStrip } from './strip.tsx'

type Props = {
  title: string
  about: string
  /** What the two buttons do, in their own words. */
  confirm: string
  keep: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** Asks once before something that is hard to take back, and stays when it did not work. */
export function ConfirmDialog({ title, about, confirm, keep, onConfirm, onClose, children }: Props) {
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  return (
    <Dialog
      title={title}
      about={about}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            {keep}
          </button>
          <button
            type="button"
            className="btn primary"
            aria-disabled={doing.isPending}
            onClick={() => !doing.isPending && doing.mutate()}
          >
            {confirm}
          </button>
        </>
      }
    >
      {doing.error && <ProblemStrip what="Nothing was changed." problem={asProblem(doing.error)} />}
      {children}
    </Dialog>
  )
}
