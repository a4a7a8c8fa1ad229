import { ChevronRight } from 'lucide-react'
import { DropdownMenu as Menu } from 'radix-ui'
import type { ReactNode } from 'react'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { MenuProps } from '../../ui/lazy-menu.tsx'
import { MenuContent } from '../../ui/menu-content.tsx'
import { MenuTick } from '../../ui/menu-tick.tsx'
import { type FilterChoice, maxInlineOptions } from './filter-choice.ts'
import styles from './filter-dropdown.module.css'

type Props = MenuProps & { choices: FilterChoice[]; note?: ReactNode }

export default function FilterDropdown({ trigger, isOpen, onOpenChange, choices, note }: Props) {
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Menu.Trigger asChild>{trigger}</Menu.Trigger>
      <MenuContent className={styles.filters} sideOffset={4}>
        {choices.map((choice) =>
          choice.options.length > maxInlineOptions ? (
            <Menu.Sub key={choice.label}>
              <Menu.SubTrigger>
                {choice.label}
                <span className={styles.chosen}>{chosenLabel(choice)}</span>
                <Icon of={ChevronRight} />
              </Menu.SubTrigger>
              <Menu.SubContent className={`menu ${styles.filters}`} sideOffset={6} collisionPadding={8}>
                <Options choice={choice} />
              </Menu.SubContent>
            </Menu.Sub>
          ) : (
            choice.options.length > 0 && (
              <div key={choice.label} role="presentation">
                <Menu.Label className="menu-label">{choice.label}</Menu.Label>
                <Options choice={choice} />
              </div>
            )
          ),
        )}
        {note && <div className="menu-label">{note}</div>}
      </MenuContent>
    </Menu.Root>
  )
}

function chosenLabel({ value, options }: FilterChoice): ReactNode {
  return value !== undefined && bidiSafe(options.find((option) => option.value === value)?.label ?? value)
}

function Options({ choice: { label, value, options, onChoose } }: { choice: FilterChoice }) {
  return (
    <Menu.RadioGroup
      aria-label={label}
      value={value ?? ''}
      // Choosing the same value again removes the filter.
      onValueChange={(chosen) => onChoose(chosen === value ? undefined : chosen)}
    >
      {options.map((option) => (
        <Menu.RadioItem
          key={option.value}
          value={option.value}
          textValue={option.label ?? escapeBidi(option.value)}
        >
          <MenuTick />
          {option.label ?? <bdi>{bidiSafe(option.value)}</bdi>}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
