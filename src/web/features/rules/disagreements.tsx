import { Link } from '@tanstack/react-router'
import { equalJson } from '../../../contract/forms/json.ts'
import type { Rule, RuleDetail, RuleDisagreement } from '../../../contract/rules/rule.ts'
import { displayName } from '../../lib/display-name.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { formatFullDate, formatTime } from '../../lib/time.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { useShowMore } from '../../widgets/use-show-more.tsx'
import styles from './disagreements.module.css'
import { describeOutcome, formatFieldValue, shorten } from './rule-texts.ts'
import frameStyles from './rules-frame.module.css'

/**
 * Lists samples and tasks of new versions that people answered differently from the rule, that the
 * agent revised, or that no person answered. Each shows the answer of the rule beside what happened.
 */
export function Disagreements({ rule }: { rule: RuleDetail }) {
  const { disagreements } = rule
  if (disagreements.length === 0 && rule.samples.answered === 0) return null
  return (
    <section className={frameStyles.part}>
      <h2>Disagreements</h2>
      <p className={frameStyles.lead}>{describeList(rule)}</p>
      {disagreements.map((disagreement) => (
        <Disagreement key={disagreement.taskId} of={disagreement} rule={rule} />
      ))}
    </section>
  )
}

function describeList({ disagreements, samples }: RuleDetail): string {
  if (disagreements.length > 0)
    return 'Tasks that people answered differently, that the agent revised, or that nobody answered. Newest first.'
  return samples.agreed === samples.answered
    ? 'People answered every sample like the rule.'
    : 'Tasks that the agent revised count as disagreements. They are listed here once they have ended.'
}

function Disagreement({ of, rule }: { of: RuleDisagreement; rule: Rule }) {
  const { workspaceId } = useWorkspace()
  const now = useNow()
  const nameOf = useNameOf()
  const { taskId, name, at, version, context, outcome, isContentDeleted } = of
  const facts = Object.entries(context).filter(([, value]) => value !== null)
  const by = of.handledBy === undefined ? 'Someone' : displayName(of.handledBy, nameOf)
  const title = isContentDeleted ? 'Content deleted' : name
  return (
    <article className={styles.disagreement} aria-label={escapeBidi(title)}>
      <header>
        <h3>
          <bdi>{bidiSafe(title)}</bdi>
        </h3>
        <time dateTime={at} title={formatFullDate(at)}>
          {formatTime(at, now)}
        </time>
        <Link
          className="btn small quiet"
          to="/w/$workspaceId/handled/$taskId"
          params={{ workspaceId, taskId }}
        >
          Open task
        </Link>
      </header>
      {(facts.length > 0 || version) && (
        <dl>
          {facts.map(([field, value]) => (
            <Fact key={field} name={field} value={String(value)} />
          ))}
          {version && <Fact name="Version" value={version} />}
        </dl>
      )}
      <div className={styles.sides}>
        <div>
          <h4>The rule would have answered</h4>
          <p className={styles.answer}>
            <bdi>{bidiSafe(rule.answer.actionTitle)}</bdi>
          </p>
          <AnswerData data={rule.answer.data} other={of.data} />
        </div>
        <div>
          <h4>
            <bdi>{bidiSafe(describeOutcome(outcome, by))}</bdi>
          </h4>
          {of.actionTitle !== undefined && (
            <p className={styles.answer}>
              <bdi>{bidiSafe(of.actionTitle)}</bdi>
            </p>
          )}
          {outcome !== 'answered' && <p>This counts as a disagreement.</p>}
          <AnswerData data={of.data} other={rule.answer.data} />
        </div>
      </div>
    </article>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>
        <bdi>{bidiSafe(name)}</bdi>
      </dt>
      <dd>
        <bdi>{bidiSafe(value)}</bdi>
      </dd>
    </div>
  )
}

type AnswerDataProps = Record<'data' | 'other', Record<string, unknown> | undefined>

/** The data of an answer, one line per field. Fields that differ from the other answer are first. */
function AnswerData({ data = {}, other = {} }: AnswerDataProps) {
  const rank = ([field, value]: [string, unknown]) =>
    !Object.hasOwn(other, field) ? 1 : equalJson(value, other[field]) ? 2 : 0
  const fields = Object.entries(data).sort((one, next) => rank(one) - rank(next))
  const { shown, more } = useShowMore(fields, 8, 'fields')
  if (fields.length === 0) return null
  return (
    <>
      <ul>
        {shown.map(([field, value]) => (
          <li key={field}>
            <bdi>{bidiSafe(field)}</bdi>: <bdi>{bidiSafe(shorten(formatFieldValue(value)))}</bdi>
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}
