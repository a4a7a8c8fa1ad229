import { limits } from '../../../contract/limits.ts'
import { matchesConditions } from '../../../contract/rules/matches-conditions.ts'
import type { Backtest, BacktestRule } from '../../../contract/rules/rule.ts'
import { createTurns } from '../../lib/event-loop.ts'
import { createMutex } from '../../lib/mutex.ts'
import type { Database } from '../../storage/engine/database.ts'
import type { StoredAction } from '../../storage/engine/task-tables.ts'
import type { AppAndType } from '../../storage/feedback/analyses.ts'
import { type HistoryRow, historyPageSize, readHistory } from '../../storage/rules/history.ts'
import type { PagePosition } from '../../storage/tasks/tasks.ts'
import { bulkKey } from '../feedback/bulk-key.ts'
import { DomainProblem } from '../problems.ts'
import { answerDigest } from '../review/answer-digest.ts'
import { actionsDigest } from './actions-digest.ts'
import { fittingAnswer } from './check-rule-answer.ts'

/** An answer of a person, with the context and actions of the task as it was first sent. */
export type PastAnswer = Omit<
  HistoryRow,
  'version' | 'requiresHuman' | 'bulkId' | 'contextData' | 'actions'
> & {
  /** Empty for tasks without a version. */
  version: string
  contextData: unknown
  actions: StoredAction[]
  actionsDigest: string
}

/**
 * Reading stops after the page with which the contexts have this many characters, which takes a few
 * seconds. Older answers are ignored.
 */
const maxContextCharacters = 100_000_000

/**
 * The answers of people to tasks of an app and type that a rule may answer, newest first. Of a
 * person's bulk answers with one action to tasks of one version, only the newest counts. Holds one
 * page in memory, and lets the process serve other requests between the tasks.
 */
export async function* readPastAnswers(
  database: Database,
  workspaceId: string,
  appAndType: AppAndType,
  signal: AbortSignal,
): AsyncGenerator<PastAnswer, void, undefined> {
  const releaseReader = await acquireReader(signal)
  if (!releaseReader)
    throw new DomainProblem(
      'unavailable',
      'Too many other requests are waiting to read past answers. Try again in a few seconds.',
      {
        retryAfterSeconds: 5,
      },
    )
  try {
    yield* readPages(database, workspaceId, appAndType, signal)
  } finally {
    releaseReader()
  }
}

// In each process one request at a time reads past answers, because each reads up to 10,000.
const maxWaitingReaders = 10
const acquireReader = createMutex(maxWaitingReaders)

async function* readPages(
  database: Database,
  workspaceId: string,
  appAndType: AppAndType,
  signal: AbortSignal,
): AsyncGenerator<PastAnswer, void, undefined> {
  const parse = createActionsCache()
  const bulkAnswers = new Set<string>()
  let before: PagePosition | undefined
  let contextCharacters = 0
  for (
    let read = 0;
    read < limits.ruleHistory && contextCharacters < maxContextCharacters;
    read += historyPageSize
  ) {
    signal.throwIfAborted()
    const rows = await database.inWorkspace(workspaceId, (tx) => readHistory(tx, appAndType, before))
    const turnIfDue = createTurns()
    for (const row of rows) {
      const bulkAnswer = bulkKey(row)
      if (!row.requiresHuman && !bulkAnswers.has(bulkAnswer)) {
        if (row.bulkId !== null) bulkAnswers.add(bulkAnswer)
        yield toPastAnswer(row, parse)
      }
      await turnIfDue()
      signal.throwIfAborted()
    }
    for (const { contextData } of rows) contextCharacters += contextData?.length ?? 0
    const last = rows.at(-1)
    if (!last || rows.length < historyPageSize) return
    before = { at: last.endedAt.toISOString(), id: last.taskId }
  }
}

type ParsedActions = { actions: StoredAction[]; actionsDigest: string }

function toPastAnswer(
  { version, requiresHuman: _, bulkId: __, contextData, actions, ...row }: HistoryRow,
  parse: (text: string) => ParsedActions,
): PastAnswer {
  return {
    ...row,
    ...parse(actions),
    version: version ?? '',
    contextData: contextData === null ? undefined : JSON.parse(contextData),
  }
}

const maxCached = 50
const maxCachedLength = 65_536

/** Caches parsed actions, because tasks of one type nearly always carry the same. */
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

/** Whether the conditions and versions of the rule match the task. */
export function matchesRule(
  { when = [], versions }: Pick<BacktestRule, 'when' | 'versions'>,
  { contextData, version }: Pick<PastAnswer, 'contextData' | 'version'>,
): boolean {
  return (versions === undefined || versions.includes(version)) && matchesConditions(when, contextData)
}

/**
 * Whether the person answered what the rule would have answered. If the task was revised before,
 * that counts as a disagreement. undefined: the rule would not have answered the task. `action`:
 * the rule's action, as the task has it.
 */
export function compareAnswer(
  past: PastAnswer,
  rule: Pick<BacktestRule, 'when' | 'versions' | 'answer'>,
  action: StoredAction,
): boolean | undefined {
  if (!matchesRule(rule, past)) return undefined
  const { actionId, answer, contextData, isRevised } = past
  const expected = fittingAnswer(action, contextData, rule.answer.data)
  if (!expected) return undefined
  if (isRevised || actionId !== action.id) return false
  return answerDigest(action, answer, contextData) === answerDigest(action, expected, contextData)
}

/** A disagreement as suggestions and backtests list it. */
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

/** The rate per day since a date, over at least one day. */
export function perDay(count: number, since: Date, now: Date): number {
  return count / Math.max(1, (now.getTime() - since.getTime()) / dayMilliseconds)
}
