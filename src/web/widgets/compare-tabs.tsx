import { Check } from 'lucide-react'
import { Icon } from '../ui/icon.tsx'
import { visible } from '../ui/visible-text.tsx'

type Props = { names: string[]; shown: number; picked: number; onShow: (place: number) => void }

/** Where panes do not fit beside each other, one is shown at a time. The style sheet decides when. */
export function CompareTabs({ names, shown, picked, onShow }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would ask for a legend; these are buttons, not fields
    <div className="pane-tabs" role="group" aria-label="Item shown">
      {names.map((name, place) => (
        <button
          key={place}
          type="button"
          className={place === picked ? 'picked' : undefined}
          aria-pressed={place === shown}
          onClick={() => onShow(place)}
        >
          <bdi>{visible(name)}</bdi>
          {place === picked && <Icon of={Check} name="Your pick" />}
        </button>
      ))}
    </div>
  )
}
