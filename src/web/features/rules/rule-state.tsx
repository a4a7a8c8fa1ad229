import { Check, Clock, type LucideIcon, Pause } from 'lucide-react'
import type { Rule, RuleVersion } from '../../../contract/rules/rule.ts'
import { Icon } from '../../ui/icon.tsx'

type ShownState = 'active' | 'newVersion' | 'resting' | 'paused' | 'ended'

const chips: Record<ShownState, { tone: string; label: string; icon?: LucideIcon }> = {
  active: { tone: 'pos', label: 'Active', icon: Check },
  newVersion: { tone: 'info', label: 'New version', icon: Clock },
  resting: { tone: 'info', label: 'Waiting for answers', icon: Clock },
  paused: { tone: 'warn', label: 'Paused', icon: Pause },
  ended: { tone: '', label: 'Ended' },
}

/** The newest version, if the rule does not answer its tasks yet. */
export function notPassedVersion({ newVersions }: Pick<Rule, 'newVersions'>): RuleVersion | undefined {
  const [newest] = newVersions
  return newest && newest.passedAt === undefined ? newest : undefined
}

type Shown = Pick<Rule, 'state' | 'resting' | 'newVersions'>

export function shownState(rule: Shown): ShownState {
  if (rule.state !== 'active') return rule.state
  if (rule.resting) return 'resting'
  return notPassedVersion(rule) ? 'newVersion' : 'active'
}

export function StateChip({ rule }: { rule: Shown }) {
  const { tone, label, icon } = chips[shownState(rule)]
  return (
    <span className={`chip ${tone}`}>
      {icon && <Icon of={icon} />}
      {label}
    </span>
  )
}
