import { Check, Copy, type LucideIcon } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
import { copyText } from '../lib/copy.ts'
import { Icon } from './icon.tsx'

type Props = {
  text: () => string
  className?: string | undefined
  /** Required for an icon-only button. */
  label?: string
  icon?: LucideIcon | null
  children?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** Copies text and shows a confirmation for two seconds. */
export function CopyButton({ text, className = '', label, icon = Copy, children, ref }: Props) {
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
      {copied && icon === null ? 'Copied' : children}
      {icon && <Icon of={copied ? Check : icon} />}
    </button>
  )
}
