import type { Rule, RuleSuggestion } from '../../../contract/rules/rule.ts'
import type { AppAndType } from '../../lib/app-and-type.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { suggestionKey, useDismissed } from './dismissed-suggestions.ts'
import { SuggestionCard } from './suggestion-card.tsx'
import { useAnsweredAppsAndTypes, useSuggestions } from './use-rules.ts'

const maxAppsAndTypes = 5

/** Suggested rules for the apps and types with the most answers of people. */
export function Suggestions({ rules }: { rules: Rule[] }) {
  const { workspaceId } = useWorkspace()
  const { data: pairs = [] } = useAnsweredAppsAndTypes()
  const dismissed = useDismissed(workspaceId)
  return <NextSuggestions pairs={pairs.slice(0, maxAppsAndTypes)} rules={rules} dismissed={dismissed} />
}

type Props = { pairs: AppAndType[]; rules: Rule[]; dismissed: ReturnType<typeof useDismissed> }

/**
 * Loads the suggestions for one app and type after the other, because the service reads many
 * answers for each. An app and type whose suggestions can't be loaded is skipped.
 */
function NextSuggestions({ pairs: [appAndType, ...others], rules, dismissed }: Props) {
  if (!appAndType) return null
  return (
    <SuggestionsOf
      key={JSON.stringify(appAndType)}
      appAndType={appAndType}
      others={others}
      rules={rules}
      dismissed={dismissed}
    />
  )
}

type SuggestionsOfProps = Omit<Props, 'pairs'> & { appAndType: AppAndType; others: AppAndType[] }

function SuggestionsOf({ appAndType, others, rules, dismissed }: SuggestionsOfProps) {
  const { data, isPending } = useSuggestions(appAndType)
  return (
    <>
      {data?.suggestions.map((suggestion) => {
        const key = suggestionKey(appAndType, suggestion)
        if (dismissed.isDismissed(key) || hasRule(appAndType, suggestion, rules)) return null
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
      {!isPending && <NextSuggestions pairs={others} rules={rules} dismissed={dismissed} />}
    </>
  )
}

/** Whether a rule that has not ended has the same conditions and action. */
function hasRule({ app, type }: AppAndType, { when, answer }: RuleSuggestion, rules: Rule[]): boolean {
  return rules.some(
    (rule) =>
      rule.state !== 'ended' &&
      rule.app === app &&
      rule.type === type &&
      rule.answer.actionId === answer.actionId &&
      JSON.stringify(rule.when) === JSON.stringify(when),
  )
}
