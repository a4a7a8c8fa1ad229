import { ChevronDown, ChevronUp, PanelBottom, PanelRight } from 'lucide-react'
import { Icon } from '../../../ui/icon.tsx'
import { useKeyHint } from '../../../ui/key-cap.tsx'
import dockStyles from './dock.module.css'
import type { useDockFold } from './use-dock-fold.ts'
import type { useDockPlace } from './use-dock-place.ts'

type Props = { place: ReturnType<typeof useDockPlace>; fold: ReturnType<typeof useDockFold> }

/** The buttons that move the dock and fold it. */
export function DockTools({ place, fold }: Props) {
  const foldHint = useKeyHint('Fold or unfold your answer', '.')
  if (!place.canMove && !fold.canFold) return null
  const moveLabel = place.isBeside ? 'Show your answer below the task' : 'Show your answer beside the task'
  return (
    <div className={dockStyles.tools}>
      {place.canMove && !fold.isFolded && (
        <button
          type="button"
          className="btn square"
          aria-label={moveLabel}
          title={moveLabel}
          onClick={place.move}
        >
          <Icon of={place.isBeside ? PanelBottom : PanelRight} />
        </button>
      )}
      {fold.canFold && (
        <button
          type="button"
          className="btn square"
          {...foldHint}
          aria-expanded={!fold.isFolded}
          onClick={fold.toggle}
        >
          <Icon of={fold.isFolded ? ChevronUp : ChevronDown} />
        </button>
      )}
    </div>
  )
}
