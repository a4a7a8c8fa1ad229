import { ShieldCheck } from 'lucide-react'
import { limits } from '../../../contract/limits.ts'
import { formatCount } from '../../lib/count.ts'
import { useRole } from '../../lib/role.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useAppsAndTypes } from './use-rules.ts'

const needed = limits.ruleSuggestionAnswers

/** Explains what a rule is for, and when one is suggested. */
export function NoRules() {
  const isAdmin = useRole().isAtLeast('admin')
  const { data: pairs = [] } = useAppsAndTypes(isAdmin)
  const [busiest] = pairs
  return (
    <section className="empty">
      <Icon of={ShieldCheck} />
      <h2>No rules yet</h2>
      <p>
        If people answer “Approve” to every small refund, a rule can answer them immediately. You choose the
        conditions, the answer, and how many tasks still go to people.
      </p>
      {isAdmin && (
        <p className="above-12 text-ink-3">
          Rules are suggested for an app and type once people have answered {needed} of its tasks within{' '}
          {limits.ruleHistoryDays} days.
          {busiest && busiest.answers < needed && (
            <>
              {' '}
              Closest: <bdi>{bidiSafe(busiest.app)}</bdi> / <bdi>{bidiSafe(busiest.type)}</bdi> with{' '}
              {formatCount(busiest.answers)}.
            </>
          )}
        </p>
      )}
    </section>
  )
}
