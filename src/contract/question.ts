import { z } from 'zod'
import { optional, printable, Timestamp, text } from './field.ts'
import { QuestionId } from './ids.ts'
import { limits } from './limits.ts'

/** A question needs a reply; `changes` asks for a revision of the task. */
export const QuestionKind = z.enum(['question', 'changes'])
export type QuestionKind = z.infer<typeof QuestionKind>

/** A person asks the agent instead of answering. */
export const AskQuestion = z.strictObject({
  text: text(limits.questionText),
  kind: QuestionKind,
  idempotencyKey: optional(printable(limits.idempotencyKey)),
})
export type AskQuestion = z.infer<typeof AskQuestion>

export const Question = z.object({
  questionId: QuestionId,
  kind: QuestionKind.meta({ description: 'question: a reply is enough. changes: send a revision.' }),
  text: z.string(),
  askedBy: z.string(),
  askedAt: Timestamp,
  answer: z.object({ message: z.string(), updateId: z.string(), at: Timestamp }).optional(),
})
export type Question = z.infer<typeof Question>

export const QuestionAsked = Question.extend({
  waitingUntil: Timestamp.optional().meta({
    description:
      'When the task returns to people if the agent does not reply. Left out once either has happened.',
  }),
})
export type QuestionAsked = z.infer<typeof QuestionAsked>

/** What an agent needs to know to reply. */
export const OpenQuestion = Question.pick({ questionId: true, kind: true, text: true })
export type OpenQuestion = z.infer<typeof OpenQuestion>
