import { DropdownMenu as Menu } from 'radix-ui'
import type { MenuProps } from '../../ui/lazy-menu.tsx'

export default function EndedMenu({
  trigger,
  isOpen,
  onOpenChange,
  onDelete,
}: MenuProps & { onDelete: () => void }) {
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <Menu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
        <Menu.Item onSelect={onDelete}>Delete content…</Menu.Item>
      </Menu.Content>
    </Menu.Root>
  )
}
