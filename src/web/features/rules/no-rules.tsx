import { ShieldCheck } from 'lucide-react'
import { limits } from '../../../contract/limits.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { formatCount } from '../../lib/count.ts'
import { useRole } from '../../lib/role.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useAnsweredAppsAndTypes, useSuggestions } from './use-rules.ts'

const needed = limits.ruleSuggestionAnswers
const whenSuggested = `Rules are suggested for an app and type once people have answered ${needed} of its tasks within ${limits.ruleHistoryDays} days.`

/** Explains what a rule is for, and when one is suggested. */
export function NoRules() {
  const isAdmin = useRole().isAtLeast('admin')
  const { data: pairs = [] } = useAnsweredAppsAndTypes(isAdmin)
  const [busiest] = pairs
  return (
    <section className="empty">
      <Icon of={ShieldCheck} />
      <h2>No rules yet</h2>
      <p>
        If people answer “Approve” to every small refund, a rule can answer them immediately.{' '}
        {isAdmin ? 'You' : 'Admins'} choose the conditions, the answer, and how many tasks still go to people.
      </p>
      {isAdmin && (
        <p className="above-12 text-ink-3">{busiest ? <Progress of={busiest} /> : whenSuggested}</p>
      )}
    </section>
  )
}

/** How far the app and type with the most answers is from a suggestion. */
function Progress({ of: appAndType }: { of: AppAndType & { answers: number } }) {
  const { data } = useSuggestions(appAndType, appAndType.answers >= needed)
  // Fewer than all answers if, for example, the actions of the tasks have changed.
  const answers = data?.answers ?? appAndType.answers
  const name = (
    <>
      <bdi>{bidiSafe(appAndType.app)}</bdi> / <bdi>{bidiSafe(appAndType.type)}</bdi>
    </>
  )
  if (answers < needed)
    return (
      <>
        {whenSuggested} Closest: {name} with {formatCount(answers)}.
      </>
    )
  if (data?.suggestions.length !== 0) return whenSuggested
  return (
    <>
      No pattern is consistent enough yet in {name} ({formatCount(answers)} answers read).
    </>
  )
}
