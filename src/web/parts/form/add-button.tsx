import { Plus } from 'lucide-react'
import type { MouseEvent } from 'react'
import { flushSync } from 'react-dom'
import { Icon } from '../../ui/icon.tsx'
import { controlsIn } from './first-control.ts'

type Props = { onClick: (event: MouseEvent) => void; disabled: boolean | undefined; children: string }

export function AddButton({ onClick, disabled, children }: Props) {
  /** Focuses what was added, because on the button, the letters typed next would be shortcuts. */
  function add(event: MouseEvent<HTMLButtonElement>) {
    const box = event.currentTarget.parentElement
    const before = new Set(controlsIn(box))
    flushSync(() => onClick(event))
    const added = controlsIn(box).find((control) => !before.has(control))
    added?.focus()
    // The name of an added field is a placeholder, which typing replaces.
    if (added instanceof HTMLInputElement) added.select()
  }

  return (
    <button type="button" className="btn small above-8" disabled={disabled} onClick={add}>
      <Icon of={Plus} />
      {children}
    </button>
  )
}
