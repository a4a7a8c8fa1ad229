import type { Rule, RuleSuggestion } from '../../../contract/rules/rule.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { suggestionKey, useDismissed } from './dismissed-suggestions.ts'
import { SuggestionCard } from './suggestion-card.tsx'
import { useAppsAndTypes, useSuggestions } from './use-rules.ts'

const maxAppsAndTypes = 5

/** Rules that the answers of people suggest, for the busiest apps and types. */
export function Suggestions({ rules }: { rules: Rule[] }) {
  const { workspaceId } = useWorkspace()
  const { data: pairs = [] } = useAppsAndTypes()
  const dismissed = useDismissed(workspaceId)
  return <OfAppsAndTypes pairs={pairs.slice(0, maxAppsAndTypes)} rules={rules} dismissed={dismissed} />
}

type Props = { pairs: AppAndType[]; rules: Rule[]; dismissed: ReturnType<typeof useDismissed> }

/** One after the other, because each reads many answers. An app and type whose answers cannot be read has no suggestions. */
function OfAppsAndTypes({ pairs: [appAndType, ...others], rules, dismissed }: Props) {
  if (!appAndType) return null
  return (
    <OfAppAndType
      key={JSON.stringify(appAndType)}
      appAndType={appAndType}
      others={others}
      rules={rules}
      dismissed={dismissed}
    />
  )
}

type OfAppAndTypeProps = Omit<Props, 'pairs'> & { appAndType: AppAndType; others: AppAndType[] }

function OfAppAndType({ appAndType, others, rules, dismissed }: OfAppAndTypeProps) {
  const { data, isPending } = useSuggestions(appAndType)
  return (
    <>
      {data?.suggestions.map((suggestion) => {
        const key = suggestionKey(appAndType, suggestion)
        if (dismissed.isDismissed(key) || isARule(appAndType, suggestion, rules)) return null
        return (
          <SuggestionCard
            key={key}
            appAndType={appAndType}
            suggestion={suggestion}
            suggestionKey={key}
            onDismiss={() => dismissed.dismiss(key)}
          />
        )
      })}
      {!isPending && <OfAppsAndTypes pairs={others} rules={rules} dismissed={dismissed} />}
    </>
  )
}

/** Whether a rule that has not ended says the same. */
function isARule({ app, type }: AppAndType, { when, answer }: RuleSuggestion, rules: Rule[]): boolean {
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
