import { Dialog } from '../../ui/dialog.tsx'
import { ShortcutList } from './shortcut-list.tsx'

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      wide
      title="Keyboard shortcuts"
      about="Keys without Ctrl, ⌘ or Alt can be switched off in the settings."
      onClose={onClose}
    >
      <ShortcutList heading="h3" />
    </Dialog>
  )
}
