import { Check, Copy, type LucideIcon, X } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
import { announce } from '../lib/announce.ts'
import { copyText } from '../lib/copy.ts'
import { Icon } from './icon.tsx'

type Props = {
  text: () => string
  className?: string | undefined
  /** Required for an icon-only button. */
  label?: string
  icon?: LucideIcon
  /** Whether the content or the icon changes after copying. With "text" there is no icon. */
  confirmation?: 'text' | 'icon'
  isDisabled?: boolean
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

const resultTexts = { copied: 'Copied', failed: "Couldn't copy" }
const resultIcons = { copied: Check, failed: X }

/** Copies text and shows for two seconds whether it was copied. */
export function CopyButton(props: Props) {
  const { text, className = '', label, icon = Copy, confirmation = 'icon', isDisabled, children, ref } = props
  const [result, setResult] = useState<keyof typeof resultTexts>()

  async function copy() {
    const outcome = (await copyText(text())) ? 'copied' : 'failed'
    setResult(outcome)
    announce(resultTexts[outcome])
    setTimeout(() => setResult(undefined), 2_000)
  }

  return (
    <button
      ref={ref}
      type="button"
      className={className}
      aria-label={label && (result ? resultTexts[result] : label)}
      title={label}
      disabled={isDisabled}
      onClick={() => void copy()}
    >
      {result && confirmation === 'text' ? resultTexts[result] : children}
      {confirmation === 'icon' && <Icon of={result ? resultIcons[result] : icon} />}
    </button>
  )
}
