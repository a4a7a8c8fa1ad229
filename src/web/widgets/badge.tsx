import { CircleAlert, CircleCheck, CircleX, Info, type LucideIcon } from 'lucide-react'
import { Icon } from '../ui/icon.tsx'
import { visible } from '../ui/visible-text.tsx'
import { textOption } from './hints.ts'
import type { WidgetProps } from './registry.ts'
import { isScalar, isShort } from './scalar.tsx'

// A colour only where the sender says what it means, and never without its shape.
const tones: Record<string, { className: string; icon: LucideIcon }> = {
  positive: { className: 'pos', icon: CircleCheck },
  warning: { className: 'warn', icon: CircleAlert },
  negative: { className: 'neg', icon: CircleX },
  info: { className: 'info', icon: Info },
}
const mostBadges = 200

/** A state in a word, or several. `ui:options.tone` says how it is meant. */
export function Badge({ value, hints }: WidgetProps) {
  const words = Array.isArray(value) ? value : [value]
  const areWords = words.length > 0 && words.every((word) => isScalar(word) && word !== null && isShort(word))
  if (!areWords || words.length > mostBadges) throw new TypeError('badge needs a word or a list of words.')
  const named = textOption(hints, 'tone') ?? ''
  const tone = Object.hasOwn(tones, named) ? tones[named] : undefined
  return (
    <p className="badges">
      {words.map((word, n) => (
        <span key={n} className={`chip ${tone?.className ?? ''}`}>
          {tone && <Icon of={tone.icon} />}
          <bdi>{visible(word === true ? 'Yes' : word === false ? 'No' : String(word))}</bdi>
        </span>
      ))}
    </p>
  )
}
