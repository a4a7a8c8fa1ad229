import { CircleAlert, CircleCheck, CircleX, Info, type LucideIcon } from 'lucide-react'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './badge.module.css'
import { textOption } from './hints.ts'
import type { WidgetProps } from './registry.ts'
import { isScalar, isShort } from './scalar.tsx'
import widgetsStyles from './widgets.module.css'

// A badge has a color only if the sender sets a tone, and then also an icon.
const tones: Record<string, { className: string; icon: LucideIcon }> = {
  positive: { className: 'pos', icon: CircleCheck },
  warning: { className: 'warn', icon: CircleAlert },
  negative: { className: 'neg', icon: CircleX },
  info: { className: 'info', icon: Info },
}
const maxBadges = 200

/** A short status, or several. `ui:options.tone` sets the color and the icon of all. */
export function Badge({ value, hints }: WidgetProps) {
  const words = Array.isArray(value) ? value : [value]
  const areWords = words.length > 0 && words.every((word) => isScalar(word) && word !== null && isShort(word))
  if (!areWords || words.length > maxBadges)
    throw new TypeError(
      `badge needs a short text, number or boolean, or a list of 1 to ${maxBadges} of these.`,
    )
  const toneName = textOption(hints, 'tone') ?? ''
  const tone = Object.hasOwn(tones, toneName) ? tones[toneName] : undefined
  return (
    <p className={`${styles.badges} ${widgetsStyles.badges}`}>
      {words.map((word, n) => (
        <span key={n} className={`chip ${tone?.className ?? ''}`}>
          {tone && <Icon of={tone.icon} />}
          <bdi>{bidiSafe(word === true ? 'Yes' : word === false ? 'No' : String(word))}</bdi>
        </span>
      ))}
    </p>
  )
}
