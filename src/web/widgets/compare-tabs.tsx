import { Check } from 'lucide-react'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { Icon } from '../ui/icon.tsx'
import compareStyles from './compare.module.css'

type Props = { names: string[]; shown: number; picked: number; onShow: (position: number) => void }

/** Tabs for narrow screens, where one pane is shown at a time. The style sheet decides when. */
export function CompareTabs({ names, shown, picked, onShow }: Props) {
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
          {position === picked && <Icon of={Check} name="Your pick" />}
        </button>
      ))}
    </div>
  )
}
