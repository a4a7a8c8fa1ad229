import { limits } from '../../../contract/limits.ts'
import type { RuleDetail, RuleDisagreement } from '../../../contract/rules/rule.ts'
import { truncate } from '../../../contract/truncate.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { formatCalendarDay, formatTimeOfDay } from '../../lib/dates.ts'
import { localDay } from '../../lib/days.ts'
import { formatList } from '../../lib/format-list.ts'
import { formatNumber, formatShortPercent } from '../../lib/numbers.ts'

/** "12 November at 16:20" */
function dayAndTime(at: string): string {
  return `${formatCalendarDay(at)} at ${formatTimeOfDay(at)}`
}

export function versionName(version: string): string {
  return version === '' ? 'tasks without a version' : version
}

type Paused = Pick<
  RuleDetail,
  'pausedBecause' | 'pausedAt' | 'allowedDisagreement' | 'samples' | 'judged' | 'disagreements' | 'until'
>

/**
 * When a rule paused, and why, in one sentence each. The rule may have been changed since then.
 * `by`: the name of the person who paused it.
 */
export function describePause(rule: Paused, by: string | undefined): { when: string; why: string } {
  const at = rule.pausedAt ? ` on ${dayAndTime(rule.pausedAt)}` : ''
  const itself = `Paused itself${at}.`
  switch (rule.pausedBecause) {
    case 'disagreement':
      return { when: itself, why: describeDisagreement(rule) }
    case 'recentChange':
      return { when: itself, why: describeRecentChange(rule) }
    case 'formChanged':
      return { when: itself, why: "Its answer didn't fit the form that an agent sent." }
    case 'untilReached':
      return { when: itself, why: describeEnd(rule) }
    default:
      return { when: `Paused${by ? ` by ${by}` : ''}${at}.`, why: '' }
  }
}

function describeDisagreement({ samples: { answered, agreed }, allowedDisagreement }: Paused): string {
  if (answered === 0) return 'People disagreed too often; its evidence has been reset since.'
  return `People disagreed with ${pluralize(answered - agreed, 'sample')} of ${formatCount(answered)}, more often than the allowed ${formatShortPercent(allowedDisagreement)}.`
}

// Only for the text: the evidence has no such window.
const recentSamples = 15

/** "People disagreed with 4 of the last 15 samples, all with version 0.9.0." */
function describeRecentChange({ judged, disagreements }: Paused): string {
  if (judged.length === 0) return 'People disagreed too often recently; its evidence has been reset since.'
  const recent = judged.slice(-recentSamples)
  const since = recent[0]?.at ?? ''
  const count = recent.filter(({ agrees }) => !agrees).length
  const listed = disagreements.filter(({ at }) => at >= since)
  const [version, ...others] = new Set(listed.map((disagreement) => disagreement.version))
  // The list also has tasks of new versions, and not all samples.
  const isOneVersion = version && others.length === 0 && listed.length === count && count > 1
  const all = isOneVersion ? `, all with version ${version}` : ''
  return `People disagreed with ${count} of the last ${pluralize(recent.length, 'sample')}${all}.`
}

function describeEnd({ until, pausedAt = until }: Paused): string {
  return until > pausedAt
    ? `Its time was over, but its end has been moved to ${formatCalendarDay(until)}.`
    : `Its time ended on ${formatCalendarDay(until)}.`
}

/** How texts name the fields of a rule. */
const fieldNames: Record<string, string> = {
  name: 'name',
  when: 'conditions',
  versions: 'versions',
  answer: 'answer',
  sample: 'share for people',
  allowedDisagreement: 'allowed disagreement',
  until: 'end',
}
type HistoryEntry = RuleDetail['history'][number]

/** What happened to a rule. `by`: the name of the person who did it, or "You". */
export function describeEntry({ action, details }: HistoryEntry, by = 'Someone'): string {
  const version = details.version === '' ? 'Tasks without a version' : (details.version ?? 'A new version')
  switch (action) {
    case 'rule.created':
      return `${by} created it`
    case 'rule.changed':
      return describeChangeEntry(details.fields, by)
    case 'rule.paused':
      return describePauseEntry(details.because, by)
    case 'rule.resumed':
      return `${by} resumed it`
    case 'rule.ended':
      return `${by} ended it`
    case 'rule.version_passed':
      return `${String(version)} passed: ${limits.ruleNewVersionAgreements} answers in a row agreed`
    default:
      return action.replace(/^rule\./, '').replaceAll('_', ' ')
  }
}

function describeChangeEntry(fields: unknown, by: string): string {
  const known = Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : []
  if (known.length === 0) return `${by} changed it`
  if (known.length === 1 && known[0] === 'until') return `${by} moved its end`
  if (known.length === 1 && known[0] === 'name') return `${by} renamed it`
  return `${by} changed its ${formatList(known.map((field) => fieldNames[field] ?? field))}`
}

const pauseReasons: Record<string, string> = {
  disagreement: 'too many disagreements',
  recentChange: 'too many recent disagreements',
  formChanged: 'its answer no longer fits the form',
  untilReached: 'its time is over',
}

function describePauseEntry(because: unknown, by: string): string {
  const reason = typeof because === 'string' ? pauseReasons[because] : undefined
  return reason ? `Paused itself: ${reason}` : `${by} paused it`
}

/** The heading of what really happened to a task, shown beside what the rule would have answered. */
export function describeOutcome(outcome: RuleDisagreement['outcome'], by: string): string {
  return {
    answered: `${by} answered`,
    cancelled: 'It was cancelled',
    revised: 'The agent revised it',
    expired: 'Nobody answered it in time',
  }[outcome]
}

/** "60 days", "today", "3 days ago" */
export function describeDaysUntil(until: string, now: number): string {
  // Calendar days: a rule ends at the end of a day.
  const days = Math.round((Date.parse(localDay(until)) - Date.parse(localDay(now))) / 86_400_000)
  if (days === 0) return 'today'
  return days > 0 ? pluralize(days, 'day') : `${pluralize(-days, 'day')} ago`
}

/** "14", or "100,000+" where counting stopped. */
export function formatAnswered(n: number): string {
  return `${formatCount(n)}${n >= limits.ruleFigureCount ? '+' : ''}`
}

/** "about 12 per day", "about 0.4 per day" */
export function formatPerDay(n: number): string {
  return `about ${n >= 10 ? formatCount(Math.round(n)) : formatNumber(n)} per day`
}

const maxText = 300

export function shorten(text: string): string {
  return truncate(text, maxText)
}

/** The value of a field in the data of an answer. */
export function formatFieldValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
