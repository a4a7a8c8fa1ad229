import { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { lateMenu } from '../../ui/late-menu.tsx'

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

const FilterMenuOpen = lateMenu(() => import('./filter-menu-open.tsx'))

export function FilterMenu({ isSet, ...menu }: Props) {
  return (
    <FilterMenuOpen
      {...menu}
      trigger={
        <button
          type="button"
          className={isSet ? 'btn square set' : 'btn square'}
          aria-label="Filter (F)"
          title="Filter (F)"
        >
          <Icon of={ListFilter} />
        </button>
      }
    />
  )
}
