import { Check, Copy, type LucideIcon } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
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
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** Copies text and shows a confirmation for two seconds. */
export function CopyButton(props: Props) {
  const { text, className = '', label, icon = Copy, confirmation = 'icon', children, ref } = props
  const [copied, setCopied] = useState(false)
  return (
    <button
      ref={ref}
      type="button"
      className={className}
      aria-label={label && (copied ? 'Copied' : label)}
      title={label}
      onClick={() => {
        void copyText(text()).then((done) => {
          setCopied(done)
          setTimeout(() => setCopied(false), 2_000)
        })
      }}
    >
      {copied && confirmation === 'text' ? 'Copied' : children}
      {confirmation === 'icon' && <Icon of={copied ? Check : icon} />}
    </button>
  )
}
