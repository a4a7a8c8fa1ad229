import { Check, ChevronRight, ListFilter } from 'lucide-react'
import { DropdownMenu as Menu } from 'radix-ui'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { plain, visible } from '../../ui/visible-text.tsx'

export type FilterChoice = {
  label: string
  value: string | undefined
  /** Each value with its words; without words the value itself is shown, as the sender wrote it. */
  options: { value: string; words?: string }[]
  onChoose: (value: string | undefined) => void
}

type Props = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  isSet: boolean
  choices: FilterChoice[]
  /** Below the choices: what is not listed. */
  note?: ReactNode
}

// More than this many options open to the side.
const mostInline = 4

export function FilterMenu({ isOpen, onOpenChange, isSet, choices, note }: Props) {
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Menu.Trigger
        className={isSet ? 'btn square set' : 'btn square'}
        aria-label="Filter (F)"
        title="Filter (F)"
      >
        <Icon of={ListFilter} />
      </Menu.Trigger>
      <Menu.Content className="menu filters" align="end" sideOffset={4} collisionPadding={8}>
        {choices.map((choice) =>
          choice.options.length > mostInline ? (
            <Menu.Sub key={choice.label}>
              <Menu.SubTrigger>
                {choice.label}
                <span className="chosen">{choice.value !== undefined && visible(choice.value)}</span>
                <Icon of={ChevronRight} />
              </Menu.SubTrigger>
              <Menu.SubContent className="menu filters" sideOffset={6} collisionPadding={8}>
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
      </Menu.Content>
    </Menu.Root>
  )
}

function Options({ choice: { label, value, options, onChoose } }: { choice: FilterChoice }) {
  return (
    <Menu.RadioGroup
      aria-label={label}
      value={value ?? ''}
      // Chosen a second time, the filter goes.
      onValueChange={(chosen) => onChoose(chosen === value ? undefined : chosen)}
    >
      {options.map((option) => (
        <Menu.RadioItem
          key={option.value}
          value={option.value}
          textValue={option.words ?? plain(option.value)}
        >
          <span className="mark">
            <Menu.ItemIndicator>
              <Icon of={Check} />
            </Menu.ItemIndicator>
          </span>
          {option.words ?? <bdi>{visible(option.value)}</bdi>}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
