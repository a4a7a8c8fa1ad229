// The package entry for agents written in TypeScript: `handrail-client`, and `handrail/client` in
// this repository.
export type { Action } from '../contract/action.ts'
export type { CreateTask, TaskCreated } from '../contract/create-task.ts'
export type {
  TaskCancelledEvent,
  TaskExpiredEvent,
  TaskHandledEvent,
  TaskQuestionEvent,
  TestEvent,
} from '../contract/event.ts'
export type { FeedbackAnalysis } from '../contract/feedback-analysis.ts'
export type { Question } from '../contract/question.ts'
export type { TaskRecord } from '../contract/task.ts'
export type { Handled } from '../contract/task-answer.ts'
export type { Revision, TaskUpdate, UpdateSent } from '../contract/task-update.ts'
export type { Answer, Ask, AskAction, AskReply } from './ask.ts'
export { Cancelled, Denied, Expired, InvalidAnswer, WaitTimeout } from './ask-errors.ts'
export { type Client, createClient } from './client.ts'
export type { QuestionHandler, Reply, ReplyOptions, ReviseOptions } from './conversation.ts'
export { HandrailProblem } from './problem.ts'
export type { ApprovalOptions } from './require-approval.ts'
export type { SendResult } from './send-all.ts'
export type { StandardSchema } from './standard-schema.ts'
export type { ClientOptions } from './transport.ts'
export { verifyWebhook, type WebhookEvent, WebhookNotVerified } from './verify-webhook.ts'
export { type WaitOptions, waitForAnswer } from './wait-for-answer.ts'
