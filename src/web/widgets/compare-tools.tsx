import { ArrowLeftRight, ArrowUpDown, Diff, EyeOff, type LucideIcon } from 'lucide-react'
import { Icon } from '../ui/icon.tsx'
import { KeyCap } from '../ui/key-cap.tsx'

type Toggle = { isOn: boolean; toggle: (() => void) | undefined }
type Props = { diff: Toggle; blind: Toggle; sync: Toggle; swap: (() => void) | undefined; hasKeys: boolean }

export function CompareTools({ diff, blind, sync, swap, hasKeys }: Props) {
  const cap = (key: string) => (hasKeys ? key : undefined)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend; these are buttons, not fields
    <div className="tools" role="group" aria-label="Comparison tools">
      <Tool icon={Diff} name="Differences" cap={cap('D')} isOn={diff.isOn} onPress={diff.toggle} />
      <Tool icon={EyeOff} name="Hide names" cap={cap('B')} isOn={blind.isOn} onPress={blind.toggle} />
      <Tool icon={ArrowUpDown} name="Scroll together" cap={cap('Y')} isOn={sync.isOn} onPress={sync.toggle} />
      <Tool icon={ArrowLeftRight} name="Swap sides" cap={cap('W')} onPress={swap} />
    </div>
  )
}

type ToolProps = {
  icon: LucideIcon
  name: string
  cap: string | undefined
  isOn?: boolean
  /** Undefined hides the button. */
  onPress: (() => void) | undefined
}

function Tool({ icon, name, cap, isOn, onPress }: ToolProps) {
  if (!onPress) return null
  return (
    <button type="button" aria-pressed={isOn} onClick={onPress}>
      <Icon of={icon} />
      {name}
      {cap && <KeyCap>{cap}</KeyCap>}
    </button>
  )
}
