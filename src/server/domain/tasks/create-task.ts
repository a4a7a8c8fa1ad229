import { checkPayload } from '../../../contract/check-payload.ts'
import type { CreateTask, TaskCreated } from '../../../contract/create-task.ts'
import { limits } from '../../../contract/limits.ts'
import { priorities } from '../../../contract/task-fields.ts'
import type { Trace } from '../../../contract/trace.ts'
import type { Violation } from '../../../contract/violation.ts'
import { nextTurn } from '../../lib/event-loop.ts'
import { newId } from '../../lib/ids.ts'
import { matches, patternProblem } from '../../lib/re2-patterns.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import type { PolicySettings } from '../../storage/engine/workspace-tables.ts'
import { findDecisionSettings, forgetDecisionSettings } from '../../storage/review/decision-settings.ts'
import type { StandingRule } from '../../storage/rules/rules.ts'
import { findIdempotencyKey, type KeyClaim } from '../../storage/tasks/idempotency.ts'
import {
  type CheckedInsert,
  type CheckedTask,
  insertCheckedTask,
} from '../../storage/tasks/insert-checked-task.ts'
import { insertTask, type NewTask } from '../../storage/tasks/insert-task.ts'
import { findTaskBatched } from '../../storage/tasks/tasks.ts'
import type { Actor } from '../actor.ts'
import { callbackUrlProblem } from '../delivery/check-callback-url.ts'
import { DomainProblem, invalidRequest, payloadTooLarge } from '../problems.ts'
import {
  describeStricter,
  mayRequireReview,
  type PlannedReview,
  planReview,
  policyFor,
} from '../review/plan-review.ts'
import { assigneeNameOf, planTiming } from '../review/plan-timing.ts'
import { matchRule } from '../rules/match-rule.ts'
import { pauseForChangedForm } from '../rules/pause-rule.ts'
import type { Service } from '../service.ts'
import { handledEnding } from './endings.ts'
import { hashRequest } from './hash-request.ts'
import { idempotencyConflict } from './idempotency-key.ts'
import { snippetOf } from './inbox-row.ts'
import { requireMaySend } from './key-limits.ts'
import { taskUrl } from './present-task.ts'
import { optionsToStore } from './sent-options.ts'

// Validating a payload of up to this size takes at most a few milliseconds. For a larger one, other
// requests run between the steps of the validation.
const largePayloadBytes = 32 * 1024
const maxInsertAttempts = 10

export type CreateTaskResult = { created: TaskCreated; replayed: boolean }

/** The MCP session and the trace that the call belongs to. */
export type CallContext = { sessionId?: string | undefined; trace?: Trace | undefined }

export async function createTask(
  service: Service,
  actor: Actor,
  input: CreateTask,
  { sessionId, trace }: CallContext = {},
): Promise<CreateTaskResult> {
  const { metrics } = service
  const { type, warnings, context, actions, requestHash } = await validate(input, service)
  const app = input.app ?? 'default'
  requireMaySend(actor, { app, type })
  const taskId = newId('task')
  const threadId = input.threadId ?? taskId
  const priority = priorities.indexOf(input.priority ?? 'normal')
  const pushesToMcp = input.delivery === 'sse'
  if (pushesToMcp) requireReachableSession(service, sessionId)
  if (pushesToMcp && sessionId === undefined) warnings.push(noSessionWarning)
  // A task with a callbackUrl reports delivery "callback". If the caller also asked for "sse", the
  // answer is delivered in both ways.
  const delivery = input.callbackUrl === undefined ? (input.delivery ?? 'poll') : 'callback'

  const task = {
    id: taskId,
    threadId,
    app,
    type,
    name: input.task.name,
    description: input.task.description,
    version: input.version,
    priority,
    delivery,
    metadata: input.metadata,
    createdBy: actor.id,
    sessionId,
    traceparent: trace?.traceparent,
    tracestate: trace?.tracestate,
    callbackUrl: input.callbackUrl,
    pushesToMcp,
    acceptsQuestions: input.acceptsQuestions ?? false,
    expiresInSeconds: input.expiresInSeconds,
    onExpire: input.onExpire && { actionId: input.onExpire.actionId, data: input.onExpire.data ?? {} },
    context,
    actions,
    eventBody: {
      name: input.task.name,
      snippet: snippetOf(input.task.description),
      app,
      type,
      priority: priorities[priority]!,
      delivery,
      ...(input.expiresInSeconds !== undefined && { expiresInSeconds: input.expiresInSeconds }),
    },
  }
  const { idempotencyKey } = input
  const idempotency =
    idempotencyKey === undefined ? undefined : { key: idempotencyKey, requestHash: requestHash! }
  const { result, review, rulesToPause } = await planAndInsert(service, actor, input, task, idempotency)
  if (result.kind === 'unknown-assignee') {
    throw invalidRequest([
      {
        path: 'assignTo',
        message:
          'Must be the email address of a member, or group:<slug>, of this workspace. Leave it out to ask anyone.',
      },
    ])
  }
  const isReplay = result.kind === 'earlier'
  if (isReplay && result.earlier.requestHash !== requestHash) throw idempotencyConflict()
  const id = isReplay ? result.earlier.resultId : taskId
  const effectiveReview = isReplay
    ? (await findTaskBatched(service.database, actor.workspaceId, id))?.review
    : review
  if (effectiveReview) warnings.push(...describeStricter(effectiveReview, input.review))
  if (!isReplay) metrics.tasksCreated.inc()
  if (result.kind === 'decided') {
    metrics.tasksEnded.inc({ status: 'handled' })
    metrics.ruleAnswers.inc()
  }
  if (rulesToPause && !isReplay) await pauseForChangedForm(service, actor.workspaceId, rulesToPause, id)
  const url = taskUrl(service.publicUrl, actor.workspaceId, id)
  const created = { taskId: id, delivery, url, ...(warnings.length > 0 && { warnings }) }
  return { created, replayed: isReplay }
}

type TaskToPlan = Omit<
  NewTask,
  'review' | 'settingsVersion' | 'sent' | 'answerWithinMinutes' | 'steps' | 'rule'
>

/** Plans and inserts the task. Repeats both if a policy, a group or a rule was changed in between. */
async function planAndInsert(
  { database, secrets }: Service,
  actor: Actor,
  input: CreateTask,
  task: TaskToPlan,
  idempotency: CheckedTask['idempotency'],
): Promise<{ result: CheckedInsert; review?: NewTask['review']; rulesToPause?: string[] }> {
  const { workspaceId } = actor
  for (let attempt = 0; attempt < maxInsertAttempts; attempt++) {
    const { version, policies, rules } = await findDecisionSettings(database, workspaceId)
    const policy = policyFor(policies, task)
    const plan = (tx: Transaction) => planUnlessRepeated(tx, actor, input, policy, idempotency)
    const { review, requested, earlier } =
      input.review || (policy && mayRequireReview(policy))
        ? await database.inWorkspace(workspaceId, plan)
        : { review: undefined, requested: undefined, earlier: undefined }
    if (earlier) return { result: { kind: 'earlier', earlier } }
    const assignTo = input.assignTo ?? (await assigneeNameOf(database, workspaceId, policy))
    const timing = policy && planTiming(policy)
    const eventBody = {
      ...task.eventBody,
      ...(review && { review: { needed: review.needed, given: 0 } }),
      ...(assignTo !== undefined && { assignedTo: assignTo }),
      ...(timing?.answerWithinMinutes && { answerWithinMinutes: timing.answerWithinMinutes }),
    }
    const sent = optionsToStore(input, requested)
    const { rule, rulesToPause } =
      rules.length === 0 || review || input.requireHuman
        ? { rule: undefined, rulesToPause: undefined }
        : planRule(rules, input, task, secrets.encryptionKey)
    const planned = { ...task, ...timing, eventBody, sent, review, rule, settingsVersion: version }
    // Without an idempotency key or an assignee to look up first, a single statement is enough.
    const result: CheckedInsert =
      idempotency || assignTo !== undefined
        ? await insertCheckedTask(database, workspaceId, { task: planned, idempotency, assignTo })
        : { kind: await insertTask(database, workspaceId, planned) }
    // The assignee comes from the policy, and has left the workspace or was deleted since planning.
    const isOutdated = result.kind === 'unknown-assignee' && input.assignTo === undefined
    if (result.kind !== 'outdated' && !isOutdated)
      return { result, review, ...(rulesToPause && rulesToPause.length > 0 && { rulesToPause }) }
    forgetDecisionSettings(database, workspaceId)
  }
  throw new DomainProblem(
    'unavailable',
    'The policies, groups or rules of this workspace are being changed. Try again in a second.',
    {
      retryAfterSeconds: 1,
    },
  )
}

/** What the oldest matching rule does with the task, in the form that `insertTask` takes. */
function planRule(rules: StandingRule[], input: CreateTask, task: TaskToPlan, secret: string) {
  const { app, type, version } = task
  const contextData = input.context?.data
  const { match, rulesToPause } = matchRule(
    rules,
    { app, type, version, contextData, actions: input.actions },
    secret,
  )
  if (!match) return { rule: undefined, rulesToPause }
  const { id, generation, until } = match.rule
  const matched = { id, generation, until: new Date(until) }
  if (match.kind !== 'decision') return { rule: { ...matched, kind: match.kind }, rulesToPause }
  const ended = {
    ...task,
    version: version ?? null,
    revision: 1,
    metadata: task.metadata ?? null,
    traceparent: task.traceparent ?? null,
    tracestate: task.tracestate ?? null,
    callbackUrl: task.callbackUrl ?? null,
  }
  const ending = handledEnding(ended, match.chosen, { ruleId: id })
  const { context, actions } = task
  const digests = {
    ...(context !== undefined && { contextSha256: sha256Hex(context) }),
    actionsSha256: sha256Hex(actions),
  }
  const audit = { ...ending.audit, details: { ...ending.audit.details, ...digests } }
  return { rule: { ...matched, kind: match.kind, ending: { ...ending, audit } }, rulesToPause }
}

/**
 * Looks up the idempotency key first: a repeated request gets the first task, even if the review
 * that it asks for is no longer possible. `insertCheckedTask` claims the key.
 */
async function planUnlessRepeated(
  tx: Transaction,
  actor: Actor,
  input: CreateTask,
  policy: PolicySettings | undefined,
  idempotency: CheckedTask['idempotency'],
): Promise<PlannedReview & { earlier?: KeyClaim | undefined }> {
  const earlier = idempotency && (await findIdempotencyKey(tx, idempotency.key, limits.idempotencyHours))
  if (earlier) return { review: undefined, requested: undefined, earlier }
  return await planReview(tx, actor, input, policy)
}

/** The warning about delivery "sse" in calls over REST and in the stateless MCP protocol. */
const noSessionWarning: Violation = {
  path: 'delivery',
  message:
    'This call belongs to no MCP session, so the answer is pushed only to MCP sessions of this API key or connected app that have an open stream. Subscribe to task://<taskId> with subscriptions/listen, or call get_task.',
}

/** Refuses the task if its answer could never be pushed. */
function requireReachableSession({ mcpUrl, reachesSession }: Service, sessionId: string | undefined): void {
  if (mcpUrl !== undefined && (sessionId === undefined || reachesSession(sessionId))) return
  throw new DomainProblem(
    'unavailable',
    mcpUrl === undefined
      ? 'Delivery "sse" needs an MCP server, and none is configured. Use "poll", or set SERVICE_MCP_PUBLIC_URL on the backend.'
      : 'Delivery "sse" cannot reach this session: the backend does not know the URL of its MCP server. Use "poll", or set SERVICE_MCP_PUBLIC_URL on the backend.',
    // Only a configuration change helps, so an early retry is pointless.
    { retryAfterSeconds: 60 },
  )
}

/**
 * Checks the payload, `delivery` and `callbackUrl`, and reports all violations at once. Hashes the
 * request if it has an idempotency key.
 */
async function validate(input: CreateTask, service: Service) {
  const context = input.context === undefined ? undefined : JSON.stringify(input.context)
  const actions = JSON.stringify(input.actions)
  const { name, description } = input.task
  const payload = payloadBytes({ name, description, context, actions })
  if (payload > limits.payloadBytes) {
    throw payloadTooLarge(
      `The payload (task, context and actions) is ${payload} bytes; the limit is ${limits.payloadBytes}. Send less data.`,
    )
  }
  const isLarge = payload > largePayloadBytes
  if (isLarge) await nextTurn()
  const { type, errors, warnings } = checkPayload(input, { patternProblem, matches })
  checkDelivery(input, service, errors)
  if (errors.length > 0) throw invalidRequest(errors)
  if (isLarge) await nextTurn()
  const requestHash = input.idempotencyKey === undefined ? undefined : await hashRequest(input)
  if (isLarge) await nextTurn()
  return { type: type!, warnings, context, actions, requestHash }
}

function checkDelivery(input: CreateTask, service: Service, errors: Violation[]): void {
  if (input.callbackUrl !== undefined) {
    const problem = callbackUrlProblem(input.callbackUrl, service.mayCall)
    if (problem) errors.push({ path: 'callbackUrl', message: problem })
  } else if (input.delivery === 'callback') {
    errors.push({
      path: 'callbackUrl',
      message: 'Required with delivery "callback". Send an address, or use delivery "poll".',
    })
  }
}

/** The size of what `limits.payloadBytes` limits: name, description, context and actions. */
export function payloadBytes({ name, description, context = '', actions }: PayloadTexts): number {
  return [name, description, context, actions].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

type PayloadTexts = { name: string; description: string; context?: string | undefined; actions: string }
