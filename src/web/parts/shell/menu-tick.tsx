import { Check } from 'lucide-react'
import { DropdownMenu as Menu } from 'radix-ui'
import { Icon } from '../../ui/icon.tsx'

/** The place of the tick in an item that can be chosen. */
export function MenuTick() {
  return (
    <span className="mark">
      <Menu.ItemIndicator>
        <Icon of={Check} />
      </Menu.ItemIndicator>
    </span>
  )
}
