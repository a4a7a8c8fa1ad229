import { Check } from 'lucide-react'
import { DropdownMenu as Menu } from 'radix-ui'
import { Icon } from './icon.tsx'

/** The check mark column of a selectable menu item. */
export function MenuTick() {
  return (
    <span className="mark">
      <Menu.ItemIndicator>
        <Icon of={Check} />
      </Menu.ItemIndicator>
    </span>
  )
}
