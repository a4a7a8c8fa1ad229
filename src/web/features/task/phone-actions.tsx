import { Ellipsis } from 'lucide-react'
import { DropdownMenu as Menu } from 'radix-ui'
import type { Action } from '../../../contract/action.ts'
import { Icon } from '../../ui/icon.tsx'
import { visible } from '../../ui/visible-text.tsx'

type Props = {
  actions: Action[]
  isEnded: boolean
  onChoose: (actionId: string) => void
  onMarkDone: () => void
  onReject: () => void
}

/** Two actions fit a thumb's width; the rest is behind the dots. */
export function PhoneActions({ actions, isEnded, onChoose, onMarkDone, onReject }: Props) {
  return (
    <header>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields */}
      <div className="acts" role="group" aria-label="Actions">
        {actions.slice(0, 2).map((action) => (
          <button
            key={action.id}
            type="button"
            className="act"
            aria-disabled={isEnded || undefined}
            aria-haspopup="dialog"
            onClick={() => !isEnded && onChoose(action.id)}
          >
            <bdi>{visible(action.title)}</bdi>
          </button>
        ))}
        <Menu.Root modal={false}>
          <Menu.Trigger className="act more" aria-label="More actions" disabled={isEnded}>
            <Icon of={Ellipsis} />
          </Menu.Trigger>
          <Menu.Content className="menu" side="top" align="end" sideOffset={8} collisionPadding={8}>
            {actions.slice(2).map((action) => (
              <Menu.Item key={action.id} onSelect={() => onChoose(action.id)}>
                <bdi>{visible(action.title)}</bdi>
              </Menu.Item>
            ))}
            {actions.length > 2 && <Menu.Separator className="menu-line" />}
            <Menu.Item onSelect={onMarkDone}>Mark done</Menu.Item>
            <Menu.Item onSelect={onReject}>Reject…</Menu.Item>
          </Menu.Content>
        </Menu.Root>
      </div>
    </header>
  )
}
