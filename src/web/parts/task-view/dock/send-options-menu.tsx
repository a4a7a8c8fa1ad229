import { DropdownMenu as Menu } from 'radix-ui'
import { keyCap } from '../../../lib/shortcuts.ts'
import { KeyCap } from '../../../ui/key-cap.tsx'
import type { MenuProps } from '../../../ui/lazy-menu.tsx'
import { MenuContent } from '../../../ui/menu-content.tsx'

type Props = MenuProps & { onSend: (options?: { stays: boolean }) => Promise<void> }

export default function SendOptionsMenu({ trigger, isOpen, onOpenChange, onSend }: Props) {
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <Menu.Portal>
        <MenuContent sideOffset={6}>
          <Menu.Item onSelect={() => void onSend()}>
            Send and open next task <KeyCap>{keyCap.submit}</KeyCap>
          </Menu.Item>
          <Menu.Item onSelect={() => void onSend({ stays: true })}>
            Send and stay on this task <KeyCap>{keyCap.stay}</KeyCap>
          </Menu.Item>
        </MenuContent>
      </Menu.Portal>
    </Menu.Root>
  )
}
