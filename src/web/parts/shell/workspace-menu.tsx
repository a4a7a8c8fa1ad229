import { DropdownMenu as Menu } from 'radix-ui'
import type { MenuProps } from '../../ui/lazy-menu.tsx'
import { WorkspaceItems } from './workspace-items.tsx'

export default function WorkspaceMenu({ trigger, isOpen, onOpenChange }: MenuProps) {
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <Menu.Content className="menu" side="right" align="end" sideOffset={8} collisionPadding={8}>
        <WorkspaceItems />
      </Menu.Content>
    </Menu.Root>
  )
}
