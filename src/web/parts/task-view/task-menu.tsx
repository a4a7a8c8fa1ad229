import { DropdownMenu as Menu } from 'radix-ui'
import { keyCap } from '../../lib/shortcuts.ts'
import { KeyCap } from '../../ui/key-cap.tsx'
import type { MenuProps } from '../../ui/lazy-menu.tsx'
import { MenuContent } from '../../ui/menu-content.tsx'

type Props = MenuProps & {
  /** Undefined: not possible for this task or person. */
  onAssign: (() => void) | undefined
  onNote: (() => void) | undefined
  onSnooze: (() => void) | undefined
  onDelete: (() => void) | undefined
}

export default function TaskMenu(props: Props) {
  const { trigger, isOpen, onOpenChange, onAssign, onNote, onSnooze, onDelete } = props
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <MenuContent sideOffset={4}>
        {onAssign && (
          <Menu.Item onSelect={onAssign}>
            Assign… <KeyCap>{keyCap.assign}</KeyCap>
          </Menu.Item>
        )}
        {onNote && (
          <Menu.Item onSelect={onNote}>
            Add note… <KeyCap>{keyCap.note}</KeyCap>
          </Menu.Item>
        )}
        {onSnooze && (
          <Menu.Item onSelect={onSnooze}>
            Snooze… <KeyCap>{keyCap.snooze}</KeyCap>
          </Menu.Item>
        )}
        {onDelete && <Menu.Item onSelect={onDelete}>Delete content…</Menu.Item>}
      </MenuContent>
    </Menu.Root>
  )
}
