import { Suspense } from 'react'
import type { DialogProps } from './dialog-window.tsx'
import { lazyPart } from './lazy-part.tsx'
import { LoadingDialog } from './loading-dialog.tsx'
import { useReturnFocus } from './use-return-focus.ts'

// In a separate script, because no page needs a dialog and its library at first.
const DialogWindow = lazyPart(() => import('./dialog-window.tsx'))

export function Dialog(props: DialogProps) {
  const returnFocus = useReturnFocus()
  return (
    <Suspense fallback={<LoadingDialog onClose={props.onClose} />}>
      <DialogWindow {...props} returnFocus={returnFocus} />
    </Suspense>
  )
}
