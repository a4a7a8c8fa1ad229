import { Dialog } from '../../ui/dialog.tsx'
import { ShortcutList } from './shortcut-list.tsx'

export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      isWide
      scrolls
      title="Keyboard shortcuts"
      description="You can turn single-key shortcuts on or off in the account menu."
      onClose={onClose}
    >
      <ShortcutList heading="h3" />
    </Dialog>
  )
}
