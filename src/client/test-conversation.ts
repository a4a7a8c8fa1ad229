import { checkRevisedPayload } from '../contract/check-revision.ts'
import type { CreateTask } from '../contract/create-task.ts'
import { limits } from '../contract/limits.ts'
import { AskQuestion, type Question, type QuestionKind } from '../contract/question.ts'
import type { TaskRecord } from '../contract/task.ts'
import { type Revision, SendUpdate, type TaskUpdate, type UpdateSent } from '../contract/task-update.ts'
import {
  defaultPerson,
  invalidRequest,
  now,
  parse,
  parseBody,
  patterns,
  problem,
  type TaskStore,
  throwIfInvalid,
  throwIfTooLarge,
} from './test-store.ts'

/** A person of the test inbox asks the agent a question, with the limits of the service. */
export function askQuestion(store: TaskStore, taskId: string, text: string, kind: QuestionKind): Question {
  const input = parse(AskQuestion, { text, kind })
  const task = store.findOpen(taskId)
  const questions = task.questions ?? []
  if (!task.acceptsQuestions)
    throw problem(
      'conflict',
      409,
      'The agent of this task does not accept questions. Create it with acceptsQuestions.',
    )
  if (questions.length >= limits.questionsPerTask)
    throw problem('conflict', 409, `A task may have at most ${limits.questionsPerTask} questions.`)
  if (unansweredOf(task).length >= limits.openQuestionsPerTask) {
    const detail = `At most ${limits.openQuestionsPerTask} questions may wait for the agent.`
    throw problem('conflict', 409, detail)
  }
  const question = {
    questionId: store.newId('qst_'),
    kind: input.kind,
    text: input.text,
    askedBy: defaultPerson,
    askedAt: now(),
  }
  // As in the service: not longer than half of the time until the deadline.
  const secondsLeft = task.expiresAt
    ? (Date.parse(task.expiresAt) - Date.now()) / 1000
    : Number.POSITIVE_INFINITY
  const waitingUntil = now(Math.min(limits.agentReplyHours * 3_600, secondsLeft / 2))
  store.change(task, { questions: [...questions, question], waitingFor: 'agent', waitingUntil })
  return question
}

/**
 * Whether a wait of the agent ends: the task is not open, or a question after `afterQuestion` has
 * no reply.
 */
export function isWaitOver(task: TaskRecord, afterQuestion: string | undefined): boolean {
  const { questions = [] } = task
  const index = questions.findIndex(({ questionId }) => questionId === afterQuestion)
  if (afterQuestion !== undefined && index === -1)
    throw invalidRequest([{ path: 'afterQuestion', message: 'This task has no such question.' }])
  return task.status !== 'open' || questions.slice(index + 1).some(({ answer }) => !answer)
}

/** Adds an update, which may also reply to a question and revise the task. */
export function sendUpdate(store: TaskStore, taskId: string, input: SendUpdate): UpdateSent {
  const { idempotencyKey, ...sent } = parseBody(SendUpdate, input)
  const { answers, revision, message, level = 'info', progress } = sent
  const request = { taskId, ...sent }
  const earlierId = store.earlierResult(idempotencyKey, request)
  if (earlierId !== undefined) return sentUpdate(store.find(taskId), earlierId)
  const task = store.findOpen(taskId)
  const revised = revision && revisedPayload(store, task, revision)
  const question = answers === undefined ? undefined : findQuestion(task, answers)
  if (question?.answer) {
    const first = sentUpdate(task, question.answer.updateId)
    if (revised && !task.updates?.find(({ updateId }) => updateId === first.updateId)?.revision)
      throw problem(
        'conflict',
        409,
        'This question already has a reply without a revision. Send the revision without "answers".',
      )
    return first
  }
  if (revised) revise(store, task, revised)
  const update: TaskUpdate = {
    updateId: store.newId('upd_'),
    message,
    level,
    at: now(),
    ...(progress !== undefined && { progress }),
    ...(answers !== undefined && { answers }),
    ...(revised && { revision: task.revision }),
  }
  task.updates?.push(update)
  if (question) question.answer = { message, updateId: update.updateId, at: update.at }
  if (unansweredOf(task).length === 0) {
    task.waitingFor = 'person'
    delete task.waitingUntil
  }
  store.change(task, { latestUpdate: update })
  store.rememberResult(idempotencyKey, request, update.updateId)
  return sentUpdate(task, update.updateId)
}

/** The task with the revision, which is checked. Undefined if it changes nothing. */
function revisedPayload(
  store: TaskStore,
  task: TaskRecord,
  { task: texts, ...parts }: Revision,
): CreateTask | undefined {
  const payload = store.payloads.get(task)!
  const revised: CreateTask = {
    ...payload,
    task: {
      ...payload.task,
      name: texts?.name ?? task.name,
      description: texts?.description ?? task.description,
    },
    context: parts.context ?? payload.context,
    actions: parts.actions ?? payload.actions,
  }
  throwIfTooLarge(revised, 'revised payload')
  throwIfInvalid(checkRevisedPayload(revised, patterns))
  return JSON.stringify(revised) === JSON.stringify(payload) ? undefined : revised
}

function revise(store: TaskStore, task: TaskRecord, revised: CreateTask): void {
  if (task.revision >= limits.revisionsPerTask)
    throw problem('conflict', 409, `A task may have at most ${limits.revisionsPerTask} revisions.`)
  const { revision, name, description, context, actions = [] } = task
  task.revisions?.push({
    revision,
    name,
    description,
    actions,
    replacedAt: now(),
    ...(context && { context }),
  })
  store.payloads.set(task, revised)
  task.revision += 1
  task.name = revised.task.name
  task.description = revised.task.description
  task.actions = revised.actions
  if (revised.context) task.context = revised.context
  // Answers to an earlier revision do not count: everyone answers again.
  store.answers.delete(task)
  if (task.review) task.review.given = 0
}

function findQuestion(task: TaskRecord, questionId: string): Question {
  const question = task.questions?.find((candidate) => candidate.questionId === questionId)
  if (question) return question
  throw invalidRequest([{ path: 'answers', message: 'This task has no such question.' }])
}

function unansweredOf({ questions = [] }: TaskRecord): Question[] {
  return questions.filter(({ answer }) => !answer)
}

function sentUpdate(task: TaskRecord, updateId: string): UpdateSent {
  const { taskId, status, updates = [] } = task
  // Once the task has ended, no question waits for a reply.
  const openQuestions = (status === 'open' ? unansweredOf(task) : []).map((question) => ({
    questionId: question.questionId,
    kind: question.kind,
    text: question.text,
  }))
  const update = updates.find((candidate) => candidate.updateId === updateId)!
  const createdAt = update.at
  const revision = update.revision ?? task.revision
  return { taskId, updateId, createdAt, revision, openQuestions }
}
