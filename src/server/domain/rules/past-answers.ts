import { limits } from '../../../contract/limits.ts'
import { matchesConditions } from '../../../contract/rules/matches-conditions.ts'
import type { Backtest, BacktestRule } from '../../../contract/rules/rule.ts'
import { createTurns } from '../../lib/event-loop.ts'
import { createQueue } from '../../lib/queue.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { StoredAction } from '../../storage/engine/schema.ts'
import type { AppAndType } from '../../storage/feedback/analyses.ts'
import { type HistoryRow, historyPageSize, readHistory } from '../../storage/rules/history.ts'
import type { PagePosition } from '../../storage/tasks/tasks.ts'
import { DomainProblem } from '../problems.ts'
import { answerDigest } from '../review/answer-digest.ts'
import { actionsDigest } from './actions-digest.ts'
import { fittingAnswer } from './match-rule.ts'

/** An answer of a person, with what the task looked like when it was sent. */
export type PastAnswer = Omit<HistoryRow, 'version' | 'requiresHuman' | 'bulkId' | 'data' | 'actions'> & {
  /** Empty for tasks without a version. */
  version: string
  /** `context.data` of the task. */
  data: unknown
  actions: StoredAction[]
  actionsDigest: string
}

/** Runs work in a transaction of its own, or in the one of the caller. */
export type InTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

/** Of contexts. Reading them takes a few seconds; the answers behind them are left out. */
const maxCharacters = 100_000_000

/**
 * The newest answers of people to tasks of an app and type, newest first. Tasks of one version that a person answered at once
 * are one answer. Only one page is in memory, and other requests get a turn between the tasks.
 */
export async function* readPastAnswers(
  inTransaction: InTransaction,
  pair: AppAndType,
  signal: AbortSignal,
): AsyncGenerator<PastAnswer, void, undefined> {
  const leave = await enterQueue(signal)
  if (!leave)
    throw new DomainProblem(
      'unavailable',
      'Too many others are comparing answers. Try again in a few seconds.',
      {
        retryAfterSeconds: 5,
      },
    )
  try {
    yield* readPages(inTransaction, pair, signal)
  } finally {
    leave()
  }
}

// Each compares up to 10,000 answers.
const enterQueue = createQueue(10)

async function* readPages(
  inTransaction: InTransaction,
  pair: AppAndType,
  signal: AbortSignal,
): AsyncGenerator<PastAnswer, void, undefined> {
  const parse = createActionsCache()
  const seen = new Set<string>()
  const isRepeated = ({ bulkId, version, actionId }: HistoryRow) => {
    const key = JSON.stringify([bulkId, version, actionId])
    return bulkId !== null && (seen.has(key) || !seen.add(key))
  }
  let before: PagePosition | undefined
  let characters = 0
  for (let read = 0; read < limits.ruleHistory && characters < maxCharacters; read += historyPageSize) {
    signal.throwIfAborted()
    const rows = await inTransaction((tx) => readHistory(tx, pair, before))
    const turnIfDue = createTurns()
    for (const row of rows) {
      if (!row.requiresHuman && !isRepeated(row)) yield toPastAnswer(row, parse)
      await turnIfDue()
      signal.throwIfAborted()
    }
    for (const { data } of rows) characters += data?.length ?? 0
    const last = rows.at(-1)
    if (!last || rows.length < historyPageSize) return
    before = { at: last.endedAt.toISOString(), id: last.taskId }
  }
}

type ParsedActions = { actions: StoredAction[]; actionsDigest: string }

function toPastAnswer(
  { version, requiresHuman: _, bulkId: __, data, actions, ...row }: HistoryRow,
  parse: (text: string) => ParsedActions,
): PastAnswer {
  return {
    ...row,
    ...parse(actions),
    version: version ?? '',
    data: data === null ? undefined : JSON.parse(data),
  }
}

const maxCached = 50
const maxCachedLength = 65_536

/** Tasks of one type nearly always carry the same actions. */
function createActionsCache(): (text: string) => ParsedActions {
  const cache = new Map<string, ParsedActions>()
  return (text) => {
    const known = cache.get(text)
    if (known) return known
    const actions = JSON.parse(text) as StoredAction[]
    const parsed = { actions, actionsDigest: actionsDigest(actions) }
    if (text.length <= maxCachedLength) {
      if (cache.size >= maxCached) cache.delete(cache.keys().next().value!)
      cache.set(text, parsed)
    }
    return parsed
  }
}

/** Whether conditions and versions match the task. */
export function matchesRule(
  { when = [], versions }: Pick<BacktestRule, 'when' | 'versions'>,
  { data, version }: Pick<PastAnswer, 'data' | 'version'>,
): boolean {
  return (versions === undefined || versions.includes(version)) && matchesConditions(when, data)
}

/**
 * Whether the person answered what the rule would have answered. A task that was revised first counts as a disagreement.
 * Undefined: the rule would not have answered the task. `action` is one that the task has.
 */
export function compareAnswer(
  past: PastAnswer,
  rule: Pick<BacktestRule, 'when' | 'versions' | 'answer'>,
  action: StoredAction,
): boolean | undefined {
  if (!matchesRule(rule, past)) return undefined
  const { actionId, answer, data, isRevised } = past
  const expected = fittingAnswer(action, data, rule.answer.data)
  if (!expected) return undefined
  if (isRevised || actionId !== action.id) return false
  return answerDigest(action, answer, data) === answerDigest(action, expected, data)
}

/** As suggestions and backtests list it. */
export function toDisagreement({
  taskId,
  name,
  version,
  endedAt,
  actionTitle,
  handledBy,
}: Pick<
  PastAnswer,
  'taskId' | 'name' | 'version' | 'endedAt' | 'actionTitle' | 'handledBy'
>): Backtest['disagreements'][number] {
  const at = endedAt.toISOString()
  return { taskId, name, ...(version !== '' && { version }), at, actionTitle, handledBy }
}

const dayMilliseconds = 86_400_000

export function perDay(count: number, since: Date, now: Date): number {
  return count / Math.max(1, (now.getTime() - since.getTime()) / dayMilliseconds)
}
