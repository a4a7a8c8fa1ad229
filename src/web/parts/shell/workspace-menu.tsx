import { DropdownMenu as Menu } from 'radix-ui'
import type { MenuProps } from '../../ui/lazy-menu.tsx'
import { MenuContent } from '../../ui/menu-content.tsx'
import { WorkspaceItems } from './workspace-items.tsx'

export default function WorkspaceMenu({ trigger, isOpen, onOpenChange }: MenuProps) {
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <MenuContent side="right" sideOffset={8}>
        <WorkspaceItems />
      </MenuContent>
    </Menu.Root>
  )
}
