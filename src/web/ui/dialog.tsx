import { type ReactNode, Suspense } from 'react'
import { lazyPart } from './lazy-part.tsx'
import { LoadingDialog } from './loading-dialog.tsx'
import { useReturnFocus } from './use-return-focus.ts'

// With its library, which no page needs at first.
const DialogWindow = lazyPart(() => import('./dialog-window.tsx'))

export type DialogProps = {
  title: string
  description?: string
  isWide?: boolean
  /** The content may be longer than the window and contains no control. */
  scrolls?: boolean
  onClose: () => void
  /** Escape closes the dialog unless this returns true, because something inside it was closed instead. */
  onEscape?: () => boolean
  children: ReactNode
  footer?: ReactNode
}

export function Dialog(props: DialogProps) {
  const returnFocus = useReturnFocus()
  return (
    <Suspense fallback={<LoadingDialog onClose={props.onClose} />}>
      <DialogWindow {...props} returnFocus={returnFocus} />
    </Suspense>
  )
}
