import type { CreateTask } from '../../../contract/create-task.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'
import type { Random } from './random.ts'
import { supportReleases } from './refunds.ts'
import { rejectedRequest, remark, rewrittenReply, sentReply, tooFormal } from './remarks.ts'
import { releaseAt, type SampleApp, type SampleQuestion } from './sample-app.ts'

const topics = [
  ['Where is my parcel?', 'It left our warehouse yesterday and should be with you within two days.'],
  ['Changing the delivery address', 'I have changed it; the courier rings at the new door.'],
  ['Invoice for the company', 'You find it attached, with the address of your company on it.'],
  ['Spare lid for the casserole', 'We have one in stock and can send it without charge.'],
  ['Cancelling an order', 'It had not been packed yet, so it is cancelled and nothing is charged.'],
  ['How do I clean the brass lamp?', 'A dry cloth is enough; polish takes the coating off.'],
  ['Voucher does not work', 'It needs a basket of €40 or more. Yours has €36.'],
] as const
const people = ['Ines', 'Tom', 'Mei', 'Jonas', 'Aisha', 'Pavel', 'Grace', 'Luca', 'Hanna', 'Marta']

/**
 * A healthy app and type: people send nine of ten drafts, most of them unchanged. If they want
 * another draft, it is often because the first one is too formal.
 */
export const replyDrafts: SampleApp = {
  share: 0.32,
  overdueShare: 0.05,
  payload(random, age) {
    const [subject, answer] = random.pick(topics)
    const name = random.pick(people)
    const body = `Dear ${name},\n\nthank you for your message. ${answer}\n\nKind regards\nNorthwind service`
    return {
      task: {
        type: 'reply-draft',
        name: `Reply to ${name}: ${subject}`,
        description: 'Please read it before it goes out.',
      },
      app: 'support-agent',
      version: releaseAt(age, supportReleases),
      acceptsQuestions: true,
      context: {
        data: {
          email: {
            from: 'service@northwind.example',
            to: `${name.toLowerCase()}@customer.example`,
            subject: `Re: ${subject}`,
            body,
          },
        },
        ui: { email: { 'ui:title': 'Draft', 'ui:widget': 'email' } },
      },
      // A reply must not wait forever: after a day it is sent unread.
      expiresInSeconds: 86_400,
      onExpire: { actionId: 'send', data: { body } },
      actions: [
        {
          id: 'send',
          title: 'Send it',
          outcome: 'positive',
          schema: {
            type: 'object',
            required: ['body'],
            properties: {
              body: { type: 'string', title: 'Text', maxLength: 5_000 },
              comment: { type: 'string', title: 'Comment' },
            },
          },
          ui: { body: { 'ui:widget': 'textarea', 'ui:options': { prefill: 'email.body' } } },
        },
        {
          id: 'rewrite',
          title: 'Write it again',
          outcome: 'negative',
          schema: {
            type: 'object',
            required: ['advice'],
            properties: { advice: { type: 'string', title: 'What should be different?' } },
          },
          ui: { advice: { 'ui:widget': 'textarea' } },
        },
      ],
    }
  },
  answer(random, payload) {
    if (random.chance(0.015))
      return {
        actionId: reservedActions.rejectRequest.id,
        data: { feedback: remark(random, rejectedRequest) },
      }
    if (random.chance(0.02)) return { actionId: reservedActions.markDone.id, data: {} }
    if (random.chance(0.08))
      return {
        actionId: 'rewrite',
        data: { advice: remark(random, random.chance(0.4) ? tooFormal : rewrittenReply) },
      }
    return { actionId: 'send', ...sendAnswer(random, payload) }
  },
}

/**
 * The answer with which a draft is sent. Most drafts are sent unchanged. A few are edited first,
 * and for a few people first ask a question or request changes.
 */
function sendAnswer(random: Random, payload: CreateTask) {
  const body = bodyOf(payload)
  if (random.chance(0.12)) return { data: { body: edited(random, body) } }
  if (random.chance(0.03)) {
    const [text, reply] = random.pick(questions)
    return { data: { body }, question: { kind: 'question' as const, text, reply } }
  }
  if (random.chance(0.03)) {
    const question = lessFormal(payload)
    return { data: { body: bodyOf(question.revised) }, question }
  }
  return { data: random.chance(0.25) ? { body, comment: remark(random, sentReply) } : { body } }
}

function bodyOf({ context }: CreateTask): string {
  return (context!.data.email as { body: string }).body
}

/** Usually a word or two, sometimes most of the text. */
function edited(random: Random, body: string): string {
  if (random.chance(0.7)) {
    const [from, to] = random.pick(corrections)
    return body.replace(from, to)
  }
  const answer = body.split('\n')[2]!.replace('thank you for your message. ', '')
  return `Hi,\n\nsorry that you had to ask. ${answer} Just reply to this mail if anything is left.\n\nBest\nYour Northwind team`
}

/** What people ask before they send it, and what the agent replies. */
const questions = [
  ['Did they write to us before?', 'No, this is the first message.'],
  ['Where does the date come from?', 'From the tracking page of the courier, as of this morning.'],
  ['Is that in stock?', 'Yes, 14 pieces in the main warehouse.'],
] as const

/** What people change in a draft. */
const corrections = [
  ['Dear', 'Hi'],
  ['Kind regards', 'Best wishes'],
  ['thank you for', 'thanks for'],
  ['Northwind service', 'Your Northwind team'],
] as const

/** A person requests a friendlier tone instead of a new draft, and the agent revises the task. */
function lessFormal(payload: CreateTask): SampleQuestion & { revised: CreateTask } {
  const { context } = payload
  const email = context!.data.email as { body: string }
  const body = email.body.replace('Dear', 'Hi').replace('thank you for your message. ', '')
  return {
    kind: 'changes',
    text: 'Less formal, please, and without the first sentence.',
    reply: 'I changed the greeting and removed the sentence.',
    revised: { ...payload, context: { ...context!, data: { ...context!.data, email: { ...email, body } } } },
  }
}
