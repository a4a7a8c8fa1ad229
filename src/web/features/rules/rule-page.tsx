import { useParams } from '@tanstack/react-router'
import { Clock, Pause } from 'lucide-react'
import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { classes } from '../../lib/classes.ts'
import { formatCalendarDay } from '../../lib/dates.ts'
import { displayName } from '../../lib/display-name.ts'
import { formatShortPercent } from '../../lib/numbers.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Strip } from '../../ui/strip.tsx'
import { AgreementChart } from './agreement-chart.tsx'
import { describeRule } from './describe-rule.ts'
import { Disagreements } from './disagreements.tsx'
import { RuleAside } from './rule-aside.tsx'
import { RuleButtons } from './rule-buttons.tsx'
import { RuleFigures } from './rule-figures.tsx'
import { StateChip, shownState } from './rule-state.tsx'
import { RuleSummary } from './rule-summary.tsx'
import { describePause, versionName } from './rule-texts.ts'
import frameStyles from './rules-frame.module.css'
import { RulesFrame } from './rules-frame.tsx'
import { useRule } from './use-rules.ts'

export function RulePage() {
  const { ruleId } = useParams({ from: '/w/$workspaceId/rules/$ruleId' })
  const query = useRule(ruleId)
  const rule = query.data
  return (
    <RulesFrame
      // Mounted again once the rule is loaded, because the heading takes the focus only on mount.
      key={rule ? ruleId : ''}
      title={rule?.name ?? 'Rule'}
      back="rules"
      chip={rule && <StateChip rule={rule} />}
      buttons={rule && <RuleButtons rule={rule} />}
      strip={rule && <RuleStrip rule={rule} />}
    >
      <Loaded query={query} subject="The rule">
        {(loaded) => <RuleContent rule={loaded} />}
      </Loaded>
    </RulesFrame>
  )
}

function RuleContent({ rule }: { rule: RuleDetail }) {
  return (
    <>
      {/* The line below the text names the versions and the end of the rule. */}
      <RuleSummary parts={describeRule({ ...rule, versions: undefined, until: undefined })}>
        <MetaLine rule={rule} />
      </RuleSummary>
      <RuleFigures rule={rule} />
      <div className={classes(frameStyles.columns, frameStyles.part)}>
        <AgreementChart rule={rule} />
        <RuleAside rule={rule} />
      </div>
      <Disagreements rule={rule} />
    </>
  )
}

function MetaLine({ rule }: { rule: RuleDetail }) {
  const { me } = useWorkspace()
  const nameOf = useNameOf()
  const creator =
    rule.createdBy === undefined ? 'a former member' : displayName(rule.createdBy, nameOf, me.person.email)
  return (
    <div className={frameStyles.meta}>
      <span>Until {formatCalendarDay(rule.until)}</span>
      {rule.versions && (
        <span>
          {rule.versions.length === 1 ? 'Version' : 'Versions'}{' '}
          <bdi>{bidiSafe(rule.versions.map(versionName).join(', '))}</bdi>
        </span>
      )}
      <span>Allowed disagreement {formatShortPercent(rule.allowedDisagreement)}</span>
      <span>
        Created by <bdi>{bidiSafe(creator)}</bdi>, {formatCalendarDay(rule.createdAt)}
      </span>
    </div>
  )
}

/** Says why the rule does not answer now, if it is paused or waits for answers. */
function RuleStrip({ rule }: { rule: RuleDetail }) {
  const { me } = useWorkspace()
  const nameOf = useNameOf()
  if (rule.state === 'paused') {
    const by = rule.pausedBy && displayName(rule.pausedBy, nameOf, me.person.email)
    const { when, why } = describePause(rule, by)
    return (
      <Strip tone="warn" icon={Pause}>
        <b className="weight-medium">{bidiSafe(when)}</b> {bidiSafe(why)} Its tasks go to people; no task is
        lost.
      </Strip>
    )
  }
  if (shownState(rule) !== 'resting') return null
  return (
    <Strip tone="info" icon={Clock}>
      Waiting for people to answer open samples. Until then, all matching tasks go to people.
    </Strip>
  )
}
