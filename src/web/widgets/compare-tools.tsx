import { ArrowLeftRight, ArrowUpDown, Diff, EyeOff, type LucideIcon } from 'lucide-react'
import { Icon } from '../ui/icon.tsx'
import { KeyCap } from '../ui/key-cap.tsx'

type Toggle = { isOn: boolean; toggle: (() => void) | undefined }
type Props = { diff: Toggle; blind: Toggle; sync: Toggle; swap: (() => void) | undefined }

export function CompareTools({ diff, blind, sync, swap }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend; these are buttons, not fields
    <div className="tools" role="group" aria-label="Comparison tools">
      <Tool of={Diff} name="Diff" cap="D" isOn={diff.isOn} onPress={diff.toggle} />
      <Tool of={EyeOff} name="Blind" cap="B" isOn={blind.isOn} onPress={blind.toggle} />
      <Tool of={ArrowUpDown} name="Sync" cap="Y" isOn={sync.isOn} onPress={sync.toggle} />
      <Tool of={ArrowLeftRight} name="Swap" cap="W" onPress={swap} />
    </div>
  )
}

type ToolProps = {
  of: LucideIcon
  name: string
  cap: string
  isOn?: boolean
  /** Undefined hides the button. */
  onPress: (() => void) | undefined
}

function Tool({ of, name, cap, isOn, onPress }: ToolProps) {
  if (!onPress) return null
  return (
    <button type="button" aria-pressed={isOn} onClick={onPress}>
      <Icon of={of} />
      {name}
      <KeyCap>{cap}</KeyCap>
    </button>
  )
}
