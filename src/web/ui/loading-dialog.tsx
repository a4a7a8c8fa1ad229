import { Dialog } from './dialog.tsx'

/** Shown until the content of a dialog is loaded. Takes the keys, which would be shortcuts otherwise. */
export function LoadingDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Loading…" onClose={onClose}>
      {null}
    </Dialog>
  )
}
