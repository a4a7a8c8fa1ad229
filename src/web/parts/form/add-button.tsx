import { Plus } from 'lucide-react'
import { Icon } from '../../ui/icon.tsx'

type Props = { onClick: (event: unknown) => void; disabled: boolean | undefined; children: string }

export function AddButton({ onClick, disabled, children }: Props) {
  return (
    <button type="button" className="btn small above-8" disabled={disabled} onClick={onClick}>
      <Icon of={Plus} />
      {children}
    </button>
  )
}
