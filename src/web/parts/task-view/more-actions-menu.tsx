import { DropdownMenu as Menu } from 'radix-ui'
import type { Action } from '../../../contract/action.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import type { MenuProps } from '../../ui/lazy-menu.tsx'

type Props = MenuProps & {
  actions: Action[]
  onChoose: (actionId: string) => void
  onMarkDone: () => void
  onReject: () => void
}

export default function MoreActionsMenu(props: Props) {
  const { trigger, isOpen, onOpenChange, actions, onChoose, onMarkDone, onReject } = props
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <Menu.Content className="menu" side="top" align="end" sideOffset={8} collisionPadding={8}>
        {actions.map((action) => (
          <Menu.Item key={action.id} onSelect={() => onChoose(action.id)}>
            <bdi>{bidiSafe(action.title)}</bdi>
          </Menu.Item>
        ))}
        {actions.length > 0 && <Menu.Separator className="menu-line" />}
        <Menu.Item onSelect={onMarkDone}>Mark done</Menu.Item>
        <Menu.Item onSelect={onReject}>Reject…</Menu.Item>
      </Menu.Content>
    </Menu.Root>
  )
}
