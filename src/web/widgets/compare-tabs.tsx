import { Check } from 'lucide-react'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { Icon } from '../ui/icon.tsx'
import compareStyles from './compare.module.css'

type Props = {
  names: string[]
  /** Positions of the shown and the picked pane; -1 if none is picked. */
  shown: number
  picked: number
  pickLabel: string
  onShow: (position: number) => void
}

/** Tabs for narrow screens, where one pane is shown at a time. The style sheet decides when. */
export function CompareTabs({ names, shown, picked, pickLabel, onShow }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend; these are buttons, not fields
    <div className={compareStyles.paneTabs} role="group" aria-label="Shown item">
      {names.map((name, position) => (
        <button
          key={position}
          type="button"
          className={position === picked ? compareStyles.picked : undefined}
          aria-pressed={position === shown}
          onClick={() => onShow(position)}
        >
          <bdi>{bidiSafe(name)}</bdi>
          {position === picked && <Icon of={Check} name={pickLabel} />}
        </button>
      ))}
    </div>
  )
}
