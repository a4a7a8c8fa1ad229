import { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useKeyHint } from '../../ui/key-cap.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import type { FilterChoice } from './filter-choice.ts'

type Props = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  hasFilters: boolean
  choices: FilterChoice[]
  /** Shown below the choices: says that there are values which are not listed. */
  note?: ReactNode
}

const FilterDropdown = lazyMenu(() => import('./filter-dropdown.tsx'))

export function FilterMenu({ hasFilters, ...menu }: Props) {
  const hint = useKeyHint('Filter', 'F')
  return (
    <FilterDropdown
      {...menu}
      trigger={
        <button type="button" className={hasFilters ? 'btn square set' : 'btn square'} {...hint}>
          <Icon of={ListFilter} />
        </button>
      }
    />
  )
}
