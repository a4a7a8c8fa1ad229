import { Check, Copy, type LucideIcon, X } from 'lucide-react'
import { type ReactNode, type Ref, useRef, useState } from 'react'
import { announce } from '../lib/announce.ts'
import { copyText } from '../lib/copy.ts'
import { Icon } from './icon.tsx'
import type { useKeyHint } from './key-cap.tsx'

type Props = {
  text: () => string
  className?: string | undefined
  /** Required for an icon-only button. */
  label?: string
  /** The shortcut that the button shows. */
  hint?: ReturnType<typeof useKeyHint>
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
  const {
    text,
    className = '',
    label,
    hint,
    icon = Copy,
    confirmation = 'icon',
    isDisabled,
    children,
    ref,
  } = props
  const [result, setResult] = useState<keyof typeof resultTexts>()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  async function copy() {
    const copied = (await copyText(text())) ? 'copied' : 'failed'
    setResult(copied)
    announce(resultTexts[copied])
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setResult(undefined), 2_000)
  }

  return (
    <button
      ref={ref}
      type="button"
      className={className}
      title={label}
      {...hint}
      aria-label={label && (result ? resultTexts[result] : label)}
      disabled={isDisabled}
      onClick={() => void copy()}
    >
      {result && confirmation === 'text' ? resultTexts[result] : children}
      {confirmation === 'icon' && <Icon of={result ? resultIcons[result] : icon} />}
    </button>
  )
}
