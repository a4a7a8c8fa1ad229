import type { Rule, RuleSuggestion } from '../../../contract/rules/rule.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { suggestionKey, useDismissed } from './dismissed-suggestions.ts'
import { SuggestionCard } from './suggestion-card.tsx'
import { type Pair, usePairs, useSuggestions } from './use-rules.ts'

const maxPairs = 5

/** Rules that the answers of people suggest, for the busiest apps and types. */
export function Suggestions({ rules }: { rules: Rule[] }) {
  const { workspaceId } = useWorkspace()
  const { data: pairs = [] } = usePairs()
  const dismissed = useDismissed(workspaceId)
  return <OfPairs pairs={pairs.slice(0, maxPairs)} rules={rules} dismissed={dismissed} />
}

type Props = { pairs: Pair[]; rules: Rule[]; dismissed: ReturnType<typeof useDismissed> }

/** One after the other, because each reads many answers. A pair that cannot be read has no suggestions. */
function OfPairs({ pairs: [pair, ...others], rules, dismissed }: Props) {
  if (!pair) return null
  return <OfPair key={JSON.stringify(pair)} pair={pair} others={others} rules={rules} dismissed={dismissed} />
}

type OfPairProps = Omit<Props, 'pairs'> & { pair: Pair; others: Pair[] }

function OfPair({ pair, others, rules, dismissed }: OfPairProps) {
  const { data, isPending } = useSuggestions(pair)
  return (
    <>
      {data?.suggestions.map((suggestion, n) => {
        const key = suggestionKey(pair, suggestion)
        if (dismissed.isDismissed(key) || isARule(pair, suggestion, rules)) return null
        return (
          <SuggestionCard
            key={key}
            pair={pair}
            suggestion={suggestion}
            number={n + 1}
            onDismiss={() => dismissed.dismiss(key)}
          />
        )
      })}
      {!isPending && <OfPairs pairs={others} rules={rules} dismissed={dismissed} />}
    </>
  )
}

/** Whether a rule that has not ended says the same. */
function isARule({ app, type }: Pair, { when, answer }: RuleSuggestion, rules: Rule[]): boolean {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  return rules.some(
    (rule) =>
      rule.state !== 'ended' &&
      rule.app === app &&
      rule.type === type &&
      rule.answer.actionId === answer.actionId &&
      same(rule.when, when),
  )
}
